#!/bin/bash
set -e
find photos unknown -type f | sort > /tmp/names
printf '%s\n' photos/2023-12-24-dsc_77.jpg photos/2024-05-01-img_1.jpg photos/2024-05-01-img_2.jpg unknown/IMG_9.JPG unknown/SCAN.PNG | diff - /tmp/names
test "$(cat photos/2023-12-24-dsc_77.jpg unknown/IMG_9.JPG)" = "$(printf 'tree\nnine')"
