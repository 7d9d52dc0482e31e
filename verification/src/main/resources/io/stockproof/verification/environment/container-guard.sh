# Guards containers: they cannot outlive the JVM that started this script, also where Ryuk is off.
#
#   sh container-guard.sh SOCKET CONTAINER...
#
# Standard input comes from the JVM; at its end (close, exit, SIGKILL) the containers are removed,
# by the docker command if there is one, else over the engine's unix socket.

socket=$1
shift
trap '' INT HUP TERM PIPE
cat >/dev/null
docker rm --force --volumes "$@" >/dev/null 2>&1
for container; do
  curl --silent --output /dev/null --max-time 10 --unix-socket "$socket" --request DELETE \
    "http://docker/containers/$container?force=1&v=1" 2>/dev/null
done
