#!/bin/bash
# Starts MySQL and honours the variables of the public image: MYSQL_ROOT_PASSWORD, MYSQL_ROOT_HOST,
# MYSQL_ALLOW_EMPTY_PASSWORD, MYSQL_DATABASE, MYSQL_USER and MYSQL_PASSWORD.
# The data directory is copied from the one prepared in the image, and accounts are made by an init
# file, which the server runs before it accepts the first connection: there is no temporary server.
set -euo pipefail

readonly template=/usr/local/share/mysql-template
readonly run=/var/run/mysqld

fail() {
    echo "[entrypoint] ERROR: $*" >&2
    exit 1
}

# 'text' as an SQL string literal, whatever is in it, on one line.
literal() {
    local text=$1
    text=${text//\\/\\\\}
    text=${text//\'/\\\'}
    text=${text//$'\n'/\\n}
    printf "'%s'" "$text"
}

# `name` as an SQL identifier.
identifier() {
    # shellcheck disable=SC2016 # quotes of SQL
    printf '`%s`' "${1//\`/\`\`}"
}

accounts() {
    local root_host=${MYSQL_ROOT_HOST:-%} root database
    root=$(literal "${MYSQL_ROOT_PASSWORD:-}")
    echo "ALTER USER 'root'@'localhost' IDENTIFIED BY $root;"
    if [ "$root_host" != localhost ]; then
        echo "CREATE USER IF NOT EXISTS 'root'@$(literal "$root_host") IDENTIFIED BY $root;"
        echo "GRANT ALL ON *.* TO 'root'@$(literal "$root_host") WITH GRANT OPTION;"
        echo "GRANT PROXY ON ''@'' TO 'root'@$(literal "$root_host") WITH GRANT OPTION;"
    fi
    if [ -n "${MYSQL_DATABASE:-}" ]; then
        echo "CREATE DATABASE IF NOT EXISTS $(identifier "$MYSQL_DATABASE");"
    fi
    if [ -n "${MYSQL_USER:-}" ]; then
        echo "CREATE USER IF NOT EXISTS $(literal "$MYSQL_USER")@'%' IDENTIFIED BY $(literal "${MYSQL_PASSWORD:-}");"
        if [ -n "${MYSQL_DATABASE:-}" ]; then
            # In a grant _ is a wildcard, so it is escaped.
            database=$(identifier "${MYSQL_DATABASE//_/\\_}")
            echo "GRANT ALL ON $database.* TO $(literal "$MYSQL_USER")@'%';"
        fi
    fi
}

# An option alone means mysqld.
case "${1:-}" in
    -*) set -- mysqld "$@" ;;
esac
if [ "${1:-}" != mysqld ]; then
    exec "$@"
fi
for argument in "$@"; do
    case "$argument" in
        --help | --version | -V | '-?' | --verbose) exec "$@" ;;
    esac
done

# Only the image's own default and an argument are looked at, not a datadir in an option file.
data=/var/lib/mysql
for argument in "$@"; do
    case "$argument" in
        --datadir=*) data=${argument#--datadir=} ;;
    esac
done
install -d -o mysql -g mysql -m 0750 "$data"
install -d -o mysql -g mysql -m 0755 "$run"

if [ ! -d "$data/mysql" ]; then
    if [ -z "${MYSQL_ROOT_PASSWORD:-}" ] && [ -z "${MYSQL_ALLOW_EMPTY_PASSWORD:-}" ]; then
        fail "set MYSQL_ROOT_PASSWORD or MYSQL_ALLOW_EMPTY_PASSWORD"
    fi
    if [ "${MYSQL_USER:-}" = root ]; then
        fail "MYSQL_USER must not be root: that account always exists"
    fi
    if [ -n "$(ls -A /docker-entrypoint-initdb.d 2>/dev/null)" ]; then
        fail "/docker-entrypoint-initdb.d is not supported by this image"
    fi
    cp -a --sparse=always "$template/." "$data/"
    accounts >"$run/accounts.sql"
    chown mysql:mysql "$run/accounts.sql"
    chmod 0600 "$run/accounts.sql"
    set -- "$@" --init-file="$run/accounts.sql"
fi

exec "$@"
