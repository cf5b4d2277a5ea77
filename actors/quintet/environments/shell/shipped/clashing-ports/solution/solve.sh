#!/bin/bash
set -e
sed -n 's/^port = //p' conf/*.conf | sort | uniq -d > clash.txt
grep -l '^port = 8081' conf/*.conf | tail -n 1 > later.txt
sed -i 's/^port = 8081$/port = 8082/' conf/jobs.conf
grep -H '^port = ' conf/*.conf | sed -e 's|conf/\(.*\)\.conf:port = \(.*\)|\2 \1|' > unsorted.txt
sort -n unsorted.txt > ports.txt
