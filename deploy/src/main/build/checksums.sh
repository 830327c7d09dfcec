#!/bin/sh
# checksums.sh: writes the SHA-256 of what is published into deploy/target/SHA256SUMS; with KAIROS_SIGN=yes also a signature by gpg.
set -eu
cd "$(dirname -- "$0")/../../../target"
# archives.sh has removed those of earlier builds.
find . -maxdepth 1 \( -name 'kairos-*.tar.gz' -o -name 'kairos_*.deb' -o -name 'kairos-*.cdx.json' \) -printf '%P\n' |
    LC_ALL=C sort | xargs sha256sum >SHA256SUMS
rm -f SHA256SUMS.asc
if [ "${KAIROS_SIGN:-}" = yes ]; then gpg --batch --yes --armor --detach-sign SHA256SUMS; fi
cat SHA256SUMS
