# shellcheck shell=sh
# Read by ./kairos and by the scripts in bin/: finds a Java 25 and starts it with the JVM flags of Kairos.

kairos_java=25

# Prints the absolute path of $1 with every symbolic link in its last part resolved.
kairos_resolve() {
    kairos_path=$1
    while [ -L "$kairos_path" ]; do
        kairos_link=$(readlink "$kairos_path")
        case $kairos_link in
            /*) kairos_path=$kairos_link ;;
            *) kairos_path=$(dirname -- "$kairos_path")/$kairos_link ;;
        esac
    done
    printf '%s/%s\n' "$(CDPATH='' cd -- "$(dirname -- "$kairos_path")" && pwd -P)" "$(basename -- "$kairos_path")"
}

# Prints the feature version ("25") of the Java in folder $1; nothing when there is none, or no compiler and $2 is "jdk".
kairos_feature() {
    [ -x "$1/bin/java" ] && [ -r "$1/release" ] || return 0
    [ "$2" != jdk ] || [ -x "$1/bin/javac" ] || return 0
    sed -n 's/^JAVA_VERSION="\(1\.\)\{0,1\}\([0-9][0-9]*\).*/\2/p' "$1/release"
}

# Prints the home of the Java to use, or one sentence on standard error. $1: "jdk" to build, "jre" to run.
# KAIROS_JAVA_HOME decides alone. Else the first Java 25 wins, and only without one the first newer: the build is tried with 25.
kairos_find_java() {
    if [ -n "${KAIROS_JAVA_HOME:-}" ]; then
        kairos_found=$(kairos_feature "$KAIROS_JAVA_HOME" "$1")
        if [ "${kairos_found:-0}" -ge "$kairos_java" ]; then
            printf '%s\n' "$KAIROS_JAVA_HOME"
            return 0
        fi
        echo "kairos: KAIROS_JAVA_HOME is $KAIROS_JAVA_HOME, which is not a JDK $kairos_java or newer; point it at one or unset it." >&2
        return 1
    fi
    kairos_on_path=$(command -v java 2>/dev/null) || kairos_on_path=
    [ -z "$kairos_on_path" ] || kairos_on_path=$(kairos_resolve "$kairos_on_path")
    kairos_mac=
    if [ -x /usr/libexec/java_home ]; then kairos_mac=$(/usr/libexec/java_home -v "$kairos_java" 2>/dev/null) || kairos_mac=; fi
    kairos_newer=
    for kairos_home in "${JAVA_HOME:-}" "${kairos_on_path%/bin/java}" "$kairos_mac" /usr/lib/jvm/* /usr/java/* /opt/java/* /opt/jdk* \
        "${HOME:-}"/.sdkman/candidates/java/* "${HOME:-}"/.jdks/* "${HOME:-}"/.gradle/jdks/* \
        /Library/Java/JavaVirtualMachines/*/Contents/Home /opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home; do
        [ -n "$kairos_home" ] || continue
        kairos_found=$(kairos_feature "$kairos_home" "$1")
        if [ "${kairos_found:-0}" -eq "$kairos_java" ]; then
            printf '%s\n' "$kairos_home"
            return 0
        fi
        if [ "${kairos_found:-0}" -gt "$kairos_java" ] && [ -z "$kairos_newer" ]; then kairos_newer=$kairos_home; fi
    done
    if [ -n "$kairos_newer" ]; then
        printf '%s\n' "$kairos_newer"
        return 0
    fi
    echo "kairos: no JDK $kairos_java found; install one (for example Eclipse Temurin $kairos_java, https://adoptium.net) and, if it is in an unusual folder, set KAIROS_JAVA_HOME to it." >&2
    return 1
}

# Prints the first word that is neither an option of the main command nor the value of one.
kairos_command() {
    while [ $# -gt 0 ]; do
        case $1 in
            --address | --token-file | --context | --output | -o) [ $# -lt 2 ] || shift ;;
            -*) ;;
            *)
                printf '%s\n' "$1"
                return 0
                ;;
        esac
        shift
    done
}

# Prints the jar of the command among the words. All commands are one program, kairos-server. The tools also start from a class path of
# their own, kairos-cli, because a short one starts sooner.
kairos_jar() {
    case $(kairos_command "$@") in
        task | batch | schedule | calendar | handler | limit | dlq | delay | routes | pool | audit | cluster | cron | poll | worker | workers | import | context | version) echo kairos-cli ;;
        *) echo kairos-server ;;
    esac
}

# The JVM flags of Kairos are here and nowhere else; KAIROS_JAVA_OPTS comes after them, so that it wins.
# Out of memory: the process ends and another node takes over; it never goes on with half of its threads.
# Without the last two JDK 25 prints warnings about Netty and Kafka.
kairos_flags_all="-Xmx1g -XX:+ExitOnOutOfMemoryError --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow"
# A held message lives for seconds and dies in the order of its age: copied among the young it costs pauses and gains nothing, and
# the old regions it fills die whole (docs/performance.md).
kairos_flags_long="$kairos_flags_all -XX:+UseG1GC -XX:MaxTenuringThreshold=0"
# Of a run of half a second, compiling is a third: only what is called very often is worth it. Calls by reflection are few.
kairos_flags_short="$kairos_flags_all -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:CompileThresholdScaling=3 \
    -Djdk.reflect.useNativeAccessorOnly=true"

# True when KAIROS_JAVA_OPTS chooses a collector: the JVM refuses two.
kairos_has_collector() {
    for kairos_option in ${KAIROS_JAVA_OPTS:-}; do
        case $kairos_option in
            -XX:+UseG1GC | -XX:+UseSerialGC | -XX:+UseParallelGC | -XX:+UseZGC | -XX:+UseShenandoahGC | -XX:+UseEpsilonGC) return 0 ;;
        esac
    done
    return 1
}

# True when KAIROS_JAVA_OPTS names an archive of classes, or the place for one: the JVM refuses two.
kairos_has_archive() {
    for kairos_option in ${KAIROS_JAVA_OPTS:-}; do
        case $kairos_option in
            -XX:SharedArchiveFile=* | -XX:ArchiveClassesAtExit=* | -XX:+RecordDynamicDumpInfo | -XX:AOT*) return 0 ;;
        esac
    done
    return 1
}

# Becomes the JVM: $1 is the application's folder, $2 the name of its jar and of its archive, the rest goes to the program.
kairos_exec() {
    kairos_app=$1
    kairos_name=$2
    shift 2
    # An archive of loaded classes for a fast start, written by kairos_train. One of other jars is refused.
    kairos_archive=$(kairos_archives "$kairos_app")/$kairos_name.jsa
    # A command lives for less than a second, most of which is its start. Workers live long.
    kairos_flags=$kairos_flags_long
    case $kairos_name in
        kairos-cli) [ "$(kairos_command "$@")" = worker ] || kairos_flags=$kairos_flags_short ;;
    esac
    ! kairos_has_collector || kairos_flags=$kairos_flags_all
    # shellcheck disable=SC2086 # KAIROS_JAVA_OPTS is a list of words
    set -- -Dkairos.home="$kairos_app" ${KAIROS_JAVA_OPTS:-} -jar "$kairos_app/lib/$kairos_name.jar" "$@"
    if [ -r "$kairos_archive" ] && ! kairos_has_archive; then set -- -XX:SharedArchiveFile="$kairos_archive" -Xlog:cds*=off -Xlog:aot*=off "$@"; fi
    # shellcheck disable=SC2086 # a list of words
    exec "$JAVA_HOME/bin/java" $kairos_flags "$@"
}

# Prints the folder of the archives of classes of the application in folder $1: its folder cache, where whoever installed it has made
# one, else that folder itself.
kairos_archives() {
    if [ -d "$1/cache" ]; then echo "$1/cache"; else echo "$1"; fi
}

# Writes the archives of the application in folder $1.
kairos_train() {
    kairos_train_one "$1" kairos-cli io.kairos.cli.ClassTraining "$kairos_flags_short"
    kairos_train_one "$1" kairos-server io.kairos.server.wiring.command.ServerTraining "$kairos_flags_long"
}

# Writes the archive $2 of the application in folder $1 by a run of the class $3 with the flags $4. Without it starts are slower and
# otherwise the same, so that a failure is only told. What the run said is then in the log beside the archive.
kairos_train_one() {
    kairos_archive=$(kairos_archives "$1")/$2
    kairos_written=$kairos_archive.$$.jsa
    # No variable of whoever installs Kairos is a setting of the run.
    # shellcheck disable=SC2086 # a list of words
    if env -i "$JAVA_HOME/bin/java" $4 -XX:ArchiveClassesAtExit="$kairos_written" \
        -cp "$1/lib/$2.jar" "$3" >"$kairos_archive.log" 2>&1 && [ -s "$kairos_written" ]; then
        mv "$kairos_written" "$kairos_archive.jsa"
        rm -f "$kairos_archive.log"
    else
        rm -f "$kairos_written"
        echo "kairos: the archive of classes $2.jsa could not be written, so starts are slower; see $kairos_archive.log" >&2
    fi
}
