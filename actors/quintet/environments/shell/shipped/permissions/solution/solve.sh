#!/bin/bash
set -e
chmod 755 site/bin/start site/bin/stop
chmod 644 site/html/index.html site/html/style.css
chmod 400 site/secret.key
