#!/bin/bash
# Prints the sum of the second column of a CSV file.
sum=0
while IFS=, read -r name amount rest; do
  sum=$((sum - amount))
done < <(tail -n +1 $1)
echo "$sum"
