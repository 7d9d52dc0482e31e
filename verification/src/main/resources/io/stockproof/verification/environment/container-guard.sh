# Guards containers: they cannot outlive the JVM that started this script, also where Ryuk is off.
#
#   sh container-guard.sh SOCKET LABEL
#
# Standard input comes from the JVM; at its end (close, exit, SIGKILL) the containers with the label
# are removed, by the docker command if there is one, else over the engine's unix socket.

socket=$1
label=$2
trap '' INT HUP TERM PIPE

remove() {
  if command -v docker >/dev/null; then
    for container in $(docker ps --all --quiet --filter "label=$label"); do
      docker rm --force --volumes "$container"
    done
  else
    filters="%7B%22label%22%3A%5B%22$label%22%5D%7D"
    for container in $(
      curl --silent --max-time 10 --unix-socket "$socket" \
        "http://docker/containers/json?all=1&filters=$filters" |
        grep -o '"Id":"[0-9a-f]\{64\}"' | cut -d '"' -f 4
    ); do
      curl --silent --max-time 10 --unix-socket "$socket" --request DELETE \
        "http://docker/containers/$container?force=1&v=1"
    done
  fi
}

cat >/dev/null
remove
# One that was being created when the JVM died.
sleep 3
remove
