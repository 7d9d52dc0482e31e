#!/bin/bash
# Runs while the image is built. Initialises a data directory once, so that a container only copies
# it: with TLS keys and the time zone tables, like a server that the public image has set up.
set -euo pipefail

template=/usr/local/share/mysql-template

mkdir -p /etc/mysql/conf.d
rm -rf /var/lib/mysql
install -d -o mysql -g mysql -m 0750 /var/lib/mysql "$template"
install -d -o mysql -g mysql -m 0755 /var/run/mysqld
install -d -o mysql -g mysql -m 0750 /var/lib/mysql-files

mysqld --version
# A small redo log, to have less to copy: the server grows it to its own setting when it needs to.
mysqld --initialize-insecure --datadir="$template" --innodb-redo-log-capacity=8M

# The first start writes the TLS and RSA key files.
mysqld --datadir="$template" --skip-networking --mysqlx=OFF --disable-log-bin \
    --innodb-redo-log-capacity=8M &
server=$!
for _ in $(seq 120); do
    mysqladmin --no-defaults --socket=/var/run/mysqld/mysqld.sock -uroot ping >/dev/null 2>&1 && break
    kill -0 "$server"
    sleep 0.5
done
sql() { mysql --no-defaults --socket=/var/run/mysqld/mysqld.sock -uroot "$@"; }
if command -v mysql_tzinfo_to_sql >/dev/null; then
    mysql_tzinfo_to_sql /usr/share/zoneinfo 2>/dev/null | sql mysql
fi
sql -N -e 'SELECT VERSION(), COUNT(*) FROM mysql.time_zone_name'
sql -e 'SET GLOBAL innodb_fast_shutdown = 0'
mysqladmin --no-defaults --socket=/var/run/mysqld/mysqld.sock -uroot shutdown
wait "$server"

# Every server gets an identity of its own, and no binary log of the preparation.
rm -f "$template"/auto.cnf "$template"/binlog.*
ls -la "$template"
du -sh "$template"
