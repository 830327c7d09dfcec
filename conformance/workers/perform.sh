#!/bin/sh
# Performs one task of the conformance kit.
set -eu
now() { date +%s%3N; }
case ${KAIROS_HANDLER##*.} in
echo) exec cat ;;
digest) sha256sum | cut -c 1-64 | tr -d '\n' ;;
fail)
    if [ "$KAIROS_ATTEMPT" -lt "$(cat)" ]; then
        echo "conformance: attempt $KAIROS_ATTEMPT" >&2
        exit 1
    fi
    printf %s "$KAIROS_ATTEMPT"
    ;;
fatal)
    echo "conformance: never" >&2
    exit 65
    ;;
snooze) [ "$(date +%s)" -ge "$(cat)" ] || exit 99 ;;
slow)
    until=$(($(now) + $(cat) * 1000))
    while [ "$(now)" -lt "$until" ]; do
        echo "$KAIROS_TASK_ID $KAIROS_FENCE $(now)" >>"$CONFORMANCE_EFFECTS"
        sleep 0.05
    done
    ;;
progress)
    echo "50 half" >"$KAIROS_PROGRESS"
    exec sleep "$(cat)"
    ;;
large) head -c "$(cat)" /dev/zero ;;
*) exit 64 ;;
esac
