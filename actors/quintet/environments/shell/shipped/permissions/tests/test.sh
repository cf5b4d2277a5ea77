#!/bin/bash
set -e
find site -type f -printf '%m %p\n' | sort > /tmp/modes
printf '%s\n' '400 site/secret.key' '644 site/html/index.html' '644 site/html/style.css' '755 site/bin/start' '755 site/bin/stop' | diff - /tmp/modes
