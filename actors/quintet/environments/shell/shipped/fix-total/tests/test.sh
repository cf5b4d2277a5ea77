#!/bin/bash
set -e
test -z "$(find . ! -type f ! -type d)"  # a link may lead into /tests
cp /tests/*.csv .
cp a.csv 'spring sales.csv'
said=$(for each in a.csv b.csv 'spring sales.csv'; do bash total.sh "$each"; done)
# What total.sh has left running may write a reward.
for each in /proc/[0-9]*; do test "${each#/proc/}" -le $$ || kill -9 "${each#/proc/}"; done 2>/dev/null || true
rm -rf /logs/verifier/*
test "$said" = "$(printf '%s\n' 964 5 964)"
