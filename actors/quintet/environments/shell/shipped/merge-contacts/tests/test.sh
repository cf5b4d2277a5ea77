#!/bin/bash
set -e
diff /tests/expected.txt contacts.txt
