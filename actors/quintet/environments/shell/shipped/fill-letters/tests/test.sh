#!/bin/bash
set -e
for name in Ida Jon Meg; do diff /tests/$name.txt letters/$name.txt; done
test "$(cat letters/count.txt)" -eq 3
test "$(ls letters | wc -l)" -eq 4
