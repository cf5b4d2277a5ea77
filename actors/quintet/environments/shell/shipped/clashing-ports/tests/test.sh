#!/bin/bash
set -e
printf '%s\n' '8080 web' '8081 api' '8082 jobs' '8083 db' | diff - ports.txt
cat conf/*.conf | diff /tests/conf.txt -
