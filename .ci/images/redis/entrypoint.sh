#!/bin/sh
# Starts Redis the way the public image does: any option or configuration file may follow.
#   docker run IMAGE                                  redis-server, nothing persisted
#   docker run IMAGE redis-server --appendonly yes    extra options
#   docker run IMAGE --appendonly yes                 the same
#   docker run IMAGE redis-server /etc/my.conf        a configuration file
set -eu

# An option or a configuration file alone means redis-server.
case "${1:-}" in
    -* | *.conf) set -- redis-server "$@" ;;
esac

if [ "${1:-}" = redis-server ]; then
    shift
    case "${1:-}" in
        -v | --version | -h | --help) exec redis-server "$@" ;;
        '' | -*)
            # Later options win, so the caller can still turn persistence on.
            set -- redis-server --bind 0.0.0.0 --protected-mode no --save '' "$@"
            ;;
        *)
            config=$1
            shift
            set -- redis-server "$config" --protected-mode no "$@"
            ;;
    esac
    if [ "$(id -u)" = 0 ]; then
        find . ! -user redis -exec chown redis:redis {} +
        exec setpriv --reuid=redis --regid=redis --clear-groups -- "$@"
    fi
fi

exec "$@"
