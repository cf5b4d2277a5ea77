#!/bin/bash
set -e
tail -n +2 index.csv > listed.csv
while IFS=, read -r name day; do [ ! -e photos/$name ] || mv photos/$name photos/$day-${name,,}; done < listed.csv
mkdir -p unknown
for each in photos/*.JPG photos/*.PNG; do grep -q "^${each#photos/}," index.csv || [ ! -e $each ] || mv $each unknown/; done
