#!/bin/bash
set -e
test -z "$(find . ! -type f ! -type d)"  # a link may lead into /tests
printf '%s\n' b.txt deep/c.txt | diff - damaged.txt
cp /tests/SHA256SUMS /tmp/sums
cd data
sha256sum --quiet --strict -c /tmp/sums
