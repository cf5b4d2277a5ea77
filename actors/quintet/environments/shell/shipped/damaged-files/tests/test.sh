#!/bin/bash
set -e
printf '%s\n' b.txt deep/c.txt | diff - damaged.txt
cp /tests/SHA256SUMS /tmp/sums
cd data
sha256sum --quiet --strict -c /tmp/sums
