#!/bin/bash
set -e
cp -r data was
(cd was && sha256sum -c ../SHA256SUMS 2>/dev/null | sed -n 's/: FAILED$//p' | sort) > damaged.txt
for copy in 1 2; do (cd backup/$copy && sha256sum --ignore-missing -c ../../SHA256SUMS 2>/dev/null | sed -n "s|: OK$|:$copy|p"); done > good.txt || true
while IFS=: read -r path copy; do cp backup/$copy/$path data/$path; done < good.txt
