#!/bin/bash
set -e
grep -c '^[^ ]* ERROR ' logs/*.log > counts.txt || true
sed -e 's|^logs/||' -e 's|\.log:| |' counts.txt > named.txt
grep -v ' 0$' named.txt > report.txt
sort -k2,2nr -k1,1 -o report.txt report.txt
