#!/bin/sh
# archives.sh VERSION MOMENT: makes the archives of Kairos in deploy/target, from the applications that were built before, and the
# folder that an image is built from. One archive has no Java. Those with a Java are for x64, by the JDK in JAVA_HOME or KAIROS_JDK_X64,
# and for aarch64 where KAIROS_JDK_AARCH64 names a JDK of that kind with jmods. All files bear the moment: two builds make equal bytes.
set -eu
umask 022
export LC_ALL=C TZ=UTC
version=$1
moment=$2
deploy=$(CDPATH='' cd -- "$(dirname -- "$0")/../../.." && pwd -P)
root=$(dirname -- "$deploy")
target=$deploy/target
stage=$target/stage
app=$stage/kairos-$version
image=$target/image

# Those that jdeps finds, and what is loaded by name: TLS and names for JDBC and Kafka; the tools of operators (jcmd, jstack), remote JMX.
modules=java.base,java.instrument,java.logging,java.management,java.management.rmi,java.naming,java.net.http,java.security.jgss,java.security.sasl,java.sql,java.transaction.xa,java.xml,jdk.attach,jdk.crypto.cryptoki,jdk.httpserver,jdk.jcmd,jdk.jfr,jdk.management,jdk.management.agent,jdk.naming.dns,jdk.net,jdk.security.auth,jdk.security.jgss,jdk.unsupported,jdk.zipfs

# The names of jars with code for other machines.
other_x64='*linux-arm64v8* *linux-aarch_64* *osx-* *windows-*'
other_aarch64='*linux-amd64* *linux-x86_64* *osx-* *windows-*'
# The embedded engines, which an image goes without: they are started by a shell's tools, and a container is no place for their data.
engines='embedded-postgres-binaries-* kafka_2* kafka-server-[0-9]* kafka-*coordinator* kafka-metadata-* kafka-raft-* kafka-storage-* scala-*'

# Packs the application as the archive $1, or the folder $3 in the folder $2.
pack() {
    tar --sort=name --format=gnu --mtime="$moment" --owner=0 --group=0 --numeric-owner --mode=u+rw,go=rX -C "${2:-$stage}" -cf "$target/$1.tar" "${3:-kairos-$version}"
    gzip -n -f "$target/$1.tar"
    echo "kairos: made deploy/target/$1.tar.gz"
}

# Moves the jars whose names match $1 out of the way, and back.
set_aside() {
    mkdir "$stage/aside"
    for pattern in $1; do
        find "$app/lib" -name "$pattern" -exec mv {} "$stage/aside" \;
    done
}
put_back() {
    mv "$stage"/aside/* "$app/lib"
    rmdir "$stage/aside"
}

# Makes plain text of the links in pages of the archive that lead to what only a checkout has.
unlink_missing() {
    find "$app" -name '*.md' | while read -r page; do
        grep -oE '\]\([^)#]+' "$page" | sed 's/^](//' | sort -u | while read -r link; do
            case $link in
                *:*) ;;
                *) [ -e "${page%/*}/$link" ] || sed -zEi "s|\[([^][]*)\]\($link(#[^)]*)?\)|\1|g" "$page" ;;
            esac
        done
    done
}

# True when the JDK in $1 is for Linux on machines that its file calls $2.
is_for() {
    [ -r "$1/release" ] && grep -q "^OS_ARCH=\"$2\"" "$1/release" && grep -q '^OS_NAME="Linux"' "$1/release"
}

# Makes the runtime of the JDK in $1, with the archive of the JDK's own classes, which later archives build on. A JDK without jmods links from
# itself. For another kind of machine there is no such archive.
link_runtime() {
    from=
    if [ -d "$1/jmods" ]; then from="--module-path $1/jmods"; fi
    archive=
    if is_for "$1" "$(uname -m)"; then archive=--generate-cds-archive; fi
    rm -rf "$app/runtime"
    # shellcheck disable=SC2086 # words
    "$JAVA_HOME/bin/jlink" $from --add-modules "$modules" --strip-java-debug-attributes --no-header-files --no-man-pages \
        --compress zip-6 $archive --output "$app/runtime" >/dev/null
    rm -f "$app/runtime/lib/server/classes_nocoops.jsa" # for heaps from 32 GiB on
}

# Makes the file $1 of JVM options for an image, which has no shell, from the flags $2 and the other words. The heap is chosen by
# JDK_JAVA_OPTIONS there, which comes first and so would not win.
options() {
    file=$1.options
    flags=$2
    shift 2
    # shellcheck disable=SC2086 # words
    for word in $flags "$@"; do
        case $word in -Xmx1g) ;; *) printf '%s\n' "$word" ;; esac
    done >"$image/kairos/$file"
}

# All that this build makes in deploy/target, here or after this script; what an earlier one made must not be published as this one's.
rm -rf "$stage" "$image" "$target"/kairos-*.tar.gz "$target"/kairos_*.deb "$target"/kairos-*.cdx.json "$target"/SHA256SUMS*
mkdir -p "$app/share"
cp -R "$root/server/target/kairos/bin" "$root/server/target/kairos/lib" "$app"
chmod 755 "$app/bin/kairos"
cp "$root/LICENSE" "$root/README.md" "$root/CHANGELOG.md" "$root/SECURITY.md" "$app"
cp -R "$root/docs" "$app"
unlink_missing
cp "$deploy/src/main/debian/kairos.yaml" "$deploy/src/main/debian/kairos.service" "$app/share"
cp -R "$deploy/grafana" "$deploy/prometheus" "$app/share"
KAIROS_JAVA_HOME=$JAVA_HOME "$app/bin/kairos" man --into "$app/share/man" >/dev/null
for shell in bash zsh fish; do
    KAIROS_JAVA_HOME=$JAVA_HOME "$app/bin/kairos" completion $shell >"$app/share/completion.$shell"
done
pack "kairos-$version-noarch"
# The add-on is unpacked over an installation of the same version.
pack "kairos-hashgraph-$version" "$root/consensus-hashgraph/target/kairos-hashgraph" addons

# shellcheck source=server/src/main/dist/java.sh
. "$app/bin/java.sh"
for machine in aarch64 x64; do
    case $machine in
        x64) jdk=${KAIROS_JDK_X64:-$JAVA_HOME} arch=x86_64 other=$other_x64 named=KAIROS_JDK_X64 ;;
        aarch64) jdk=${KAIROS_JDK_AARCH64:-$JAVA_HOME} arch=aarch64 other=$other_aarch64 named=KAIROS_JDK_AARCH64 ;;
    esac
    if ! is_for "$jdk" $arch; then
        echo "kairos: left out kairos-$version-linux-$machine.tar.gz, because $named names no JDK for Linux on $arch"
        continue
    fi
    link_runtime "$jdk"
    set_aside "$other"
    pack "kairos-$version-linux-$machine"
    if [ $machine = x64 ]; then
        mkdir -p "$image/data"
        cp -R "$app" "$image/kairos"
        for pattern in $engines; do
            find "$image/kairos/lib" -name "$pattern" -delete
        done
        rm -r "$image/kairos/share" "$image/kairos/docs"
        mkdir "$image/kairos/cache"
        home=-Dkairos.home=/opt/kairos
        lib=/opt/kairos/lib
        archive=/opt/kairos/cache/kairos-server.jsa
        quiet='-Xlog:cds*=off -Xlog:aot*=off'
        options kairos "$kairos_flags_long $quiet" $home -XX:SharedArchiveFile=$archive -jar $lib/kairos-server.jar
        options cli "$kairos_flags_short $quiet" $home -jar $lib/kairos-cli.jar
        options health "$kairos_flags_short" $home -Xmx64m -jar $lib/kairos-server.jar health
        options training "$kairos_flags_long $quiet" -XX:ArchiveClassesAtExit=$archive \
            -cp $lib/kairos-server.jar io.kairos.server.wiring.command.ServerTraining
    fi
    put_back
done
# An archive of classes is valid for jars of one time: that which they have in the image.
if [ -d "$image" ]; then find "$image" -exec touch --no-dereference --date="$moment" {} +; fi
