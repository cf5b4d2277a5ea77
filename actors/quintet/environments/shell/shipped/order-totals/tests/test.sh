#!/bin/bash
set -e
diff /tests/expected.csv totals.csv
