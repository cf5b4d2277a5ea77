#!/bin/bash
set -e
diff /tests/expected.txt report.txt
