#!/bin/bash
set -e
mkdir -p letters
tail -n +2 people.csv > rows.csv
while IFS=, read -r name city day; do sed -e "s|{name}|$name|g" -e "s|{city}|$city|g" -e "s|{day}|$day|g" letter.txt > letters/$name.txt; done < rows.csv
ls letters/[A-Z]*.txt | wc -l > letters/count.txt
