#!/bin/bash
set -e
sed -i 's/sum - amount/sum + amount/' total.sh
sed -i 's/tail -n +1/tail -n +2/' total.sh
sed -i 's/ \$1)/ "$1")/' total.sh
bash total.sh march.csv
