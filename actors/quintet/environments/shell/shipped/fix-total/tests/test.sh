#!/bin/bash
set -e
cp /tests/*.csv .
cp a.csv 'spring sales.csv'
test "$(bash total.sh a.csv)" = 964
test "$(bash total.sh b.csv)" = 5
test "$(bash total.sh 'spring sales.csv')" = 964
