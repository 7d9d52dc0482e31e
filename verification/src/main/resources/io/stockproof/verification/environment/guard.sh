# Guards one server: it cannot outlive the JVM that started this script, however that JVM ends.
#
#   sh guard.sh FOLDER COMMAND...
#
# Standard input comes from the JVM. Each line on it starts the command once more; the end of it
# (close, exit, SIGKILL) kills the server and removes FOLDER. Standard output tells the JVM
# "pid N" and "exit N". POSIX sh only: dash, bash and the sh of macOS.

folder=$1
shift

# Ctrl-C reaches the whole process group, but only the end of the input may end the guard; and a
# dead JVM reads no more. The servers install handlers of their own.
trap '' INT HUP TERM PIPE

run() {
  "$@" </dev/null >>"$folder/server.log" 2>&1 &
  echo "$!" >"$folder/guard.pid"
  echo "pid $!"
  wait "$!"
  status=$?
  rm -f "$folder/guard.running" "$folder/guard.pid"
  echo "exit $status"
}

while read -r _; do
  : >"$folder/guard.running"
  run "$@" 2>/dev/null &
done

# The input may end before run has written the pid.
tries=0
while [ -e "$folder/guard.running" ] && [ "$tries" -lt 100 ]; do
  kill -9 "$(cat "$folder/guard.pid" 2>/dev/null)" 2>/dev/null
  sleep 0.05
  tries=$((tries + 1))
done
rm -rf "$folder"
