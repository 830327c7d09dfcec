#!/bin/sh
# checksums.sh: writes the SHA-256 of what is published into deploy/target/SHA256SUMS; with KAIROS_SIGN=yes also a signature by gpg.
set -eu
cd "$(dirname -- "$0")/../../../target"
find . -maxdepth 1 -name 'kairos[-_]*' \( -name '*.tar.gz' -o -name '*.deb' -o -name '*.cdx.json' \) -printf '%P\n' | LC_ALL=C sort | xargs sha256sum >SHA256SUMS
rm -f SHA256SUMS.asc
if [ "${KAIROS_SIGN:-}" = yes ]; then gpg --batch --yes --armor --detach-sign SHA256SUMS; fi
cat SHA256SUMS
