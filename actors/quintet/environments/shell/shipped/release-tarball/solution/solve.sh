#!/bin/bash
set -e
cp -r app app-1.2
find app-1.2 -name '*.tmp' -delete
rm -rf app-1.2/cache app-1.2/app
tar -czf release.tar.gz app-1.2
