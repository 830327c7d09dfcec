#!/bin/sh
# The worker that runs programs, "kairos worker exec", as the conformance kit starts it: docs/conformance.md. Its arguments are the command "kairos".
exec "$@" worker exec --handler "$CONFORMANCE_HANDLERS" --name "$KAIROS_WORKER" --concurrency "$CONFORMANCE_CONCURRENCY" \
    --drain "${CONFORMANCE_DRAIN}s" --snooze 99=1s --result application/octet-stream -- "$(dirname -- "$0")/perform.sh"
