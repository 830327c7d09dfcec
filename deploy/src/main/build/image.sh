#!/bin/sh
# image.sh VERSION MOMENT: builds the image of Kairos from deploy/target/image, which archives.sh has made, into the OCI layout
# deploy/target/oci. KAIROS_BASE names the image to build on; without it a base is made by base.sh. Needs buildah, and the rights of root.
set -eu
version=$1
moment=$(date -d "$2" +%s)
deploy=$(CDPATH='' cd -- "$(dirname -- "$0")/../../.." && pwd -P)
target=$deploy/target
store=$target/buildah
in_store() {
    buildah --root "$store/root" --runroot "$store/run" "$@"
}
base=${KAIROS_BASE:-}
if [ -z "$base" ]; then
    base=localhost/kairos-base
    rm -rf "$target/base"
    sh "$deploy/src/main/build/base.sh" "$target/base"
    container=$(in_store from scratch)
    in_store add --quiet "$container" "$target/base" / >/dev/null
    in_store commit --quiet --rm --timestamp "$moment" "$container" $base >/dev/null
fi
in_store build --quiet --isolation chroot --layers=false --timestamp "$moment" --build-arg BASE="$base" --build-arg VERSION="$version" \
    --file "$deploy/Dockerfile" --tag "kairos:$version" "$target/image" >/dev/null
rm -rf "$target/oci"
in_store push --quiet "kairos:$version" "oci:$target/oci:$version"
echo "kairos: made deploy/target/oci"
