#!/bin/sh
# reproduce.sh: builds the commit that is checked out in two folders, and compares what would be published. Takes minutes.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../../../.." && pwd -P)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for build in a b; do
    git clone --quiet --shared "$root" "$folder/$build"
    (cd "$folder/$build" && ./kairos package -q >/dev/null)
done
diff "$folder/a/deploy/target/SHA256SUMS" "$folder/b/deploy/target/SHA256SUMS"
echo "kairos: two builds are equal"
