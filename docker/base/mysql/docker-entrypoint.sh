#!/bin/bash
# Does for the stand-in what the public image's entry point does, as far as its documentation promises it: an empty
# data directory is initialised, root gets its password, and /docker-entrypoint-initdb.d is run by a server that nobody
# reaches; then mysqld runs in its place.
set -euo pipefail
shopt -s nullglob

say() {
  printf '%s [Entrypoint]: %s\n' "$(date --rfc-3339=seconds)" "$1"
}

# Takes the value of a variable from the file that the one with _FILE behind it names.
from_file() {
  local file=${1}_FILE
  if [ -n "${!file:-}" ]; then
    [ -z "${!1:-}" ] || { say "$1 and $file exclude each other" >&2; exit 1; }
    export "$1=$(<"${!file}")"
    unset "$file"
  fi
}

[ "${1:0:1}" != - ] || set -- mysqld "$@"
[ "$1" = mysqld ] || exec "$@"

from_file MYSQL_ROOT_PASSWORD
from_file MYSQL_DATABASE
data=/var/lib/mysql
socket=/var/run/mysqld/mysqld.sock

if [ "$(id -u)" = 0 ]; then
  find "$data" /var/run/mysqld \! -user mysql -exec chown --no-dereference mysql {} +
  exec setpriv --reuid mysql --regid mysql --init-groups "${BASH_SOURCE[0]}" "$@"
fi

if [ ! -d "$data/mysql" ]; then
  [ -n "${MYSQL_ROOT_PASSWORD:-}${MYSQL_ALLOW_EMPTY_PASSWORD:-}" ] || {
    say "the data directory is empty, and neither MYSQL_ROOT_PASSWORD nor MYSQL_ALLOW_EMPTY_PASSWORD is set" >&2
    exit 1
  }
  say "initialises $data"
  "$@" --initialize-insecure --default-time-zone=SYSTEM
  "$@" --daemonize --skip-networking --default-time-zone=SYSTEM --socket="$socket"
  login=(mysql --no-defaults --protocol=socket --socket="$socket" -uroot --comments)
  if [ -z "${MYSQL_INITDB_SKIP_TZINFO:-}" ]; then
    mysql_tzinfo_to_sql /usr/share/zoneinfo 2>/dev/null | "${login[@]}" mysql
  fi
  "${login[@]}" mysql <<SQL
SET @@SESSION.sql_log_bin = 0;
CREATE USER 'root'@'${MYSQL_ROOT_HOST:-%}' IDENTIFIED BY '${MYSQL_ROOT_PASSWORD:-}';
GRANT ALL ON *.* TO 'root'@'${MYSQL_ROOT_HOST:-%}' WITH GRANT OPTION;
ALTER USER 'root'@'localhost' IDENTIFIED BY '${MYSQL_ROOT_PASSWORD:-}';
SQL
  export MYSQL_PWD=${MYSQL_ROOT_PASSWORD:-}
  [ -z "${MYSQL_DATABASE:-}" ] || "${login[@]}" -e "CREATE DATABASE IF NOT EXISTS \`$MYSQL_DATABASE\`"
  for file in /docker-entrypoint-initdb.d/*; do
    say "runs $file"
    case $file in
      *.sh) if [ -x "$file" ]; then "$file"; else . "$file"; fi ;;
      *.sql) "${login[@]}" ${MYSQL_DATABASE:+--database="$MYSQL_DATABASE"} <"$file" ;;
      *.sql.gz) gunzip -c "$file" | "${login[@]}" ${MYSQL_DATABASE:+--database="$MYSQL_DATABASE"} ;;
      *) say "leaves $file" ;;
    esac
  done
  mysqladmin --no-defaults --socket="$socket" -uroot shutdown
  unset MYSQL_PWD
  say "is ready to start"
fi
exec "$@"
