#!/bin/bash
set -e
awk -F, 'NR == FNR { price[$1] = $2; next } FNR > 1 { sum[$1] += $3 * price[$2] } END { for (name in sum) print name "," sum[name] }' prices.csv orders.csv > sums.csv
LC_ALL=C sort -o sums.csv sums.csv
echo customer,total > totals.csv
cat sums.csv >> totals.csv
