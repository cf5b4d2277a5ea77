#!/bin/bash
set -e
tar -tzf release.tar.gz | grep -v '/$' | sort > /tmp/names
printf '%s\n' app-1.2/README app-1.2/lib/words.txt app-1.2/main.sh | diff - /tmp/names
mkdir /tmp/out
tar -xzf release.tar.gz -C /tmp/out
test "$(cat /tmp/out/app-1.2/lib/words.txt)" = "$(printf 'one\ntwo')"
test -x /tmp/out/app-1.2/main.sh
