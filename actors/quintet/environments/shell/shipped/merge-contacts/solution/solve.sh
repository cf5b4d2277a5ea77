#!/bin/bash
set -e
cat old.txt new.txt | tr 'A-Z' 'a-z' > lower.txt
sed -e 's/^[[:space:]]*//' -e 's/[[:space:]]*$//' lower.txt > bare.txt
grep -v -e '^$' -e '^#' bare.txt > listed.txt
LC_ALL=C sort -u listed.txt > contacts.txt
