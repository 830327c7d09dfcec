package io.kairos.bench.schedule;

import io.kairos.bench.delay.Cost;
import io.kairos.bench.delay.Snapshot;
import java.time.Instant;

/**
 * One fire instant as it was seen from outside.
 *
 * @param claimableMillis from the fire instant until another connection saw every decision and task
 *     of it
 * @param endedMillis until it saw the end of each of these tasks
 * @param complete both came to pass before the next round; else the figures are how long was waited
 * @param cost per fire, from just before the fire instant to the end
 * @param workerMicros the same of the workers
 * @param before taken just before the fire instant
 */
record Round(
    Instant fireAt,
    double claimableMillis,
    double endedMillis,
    boolean complete,
    Cost cost,
    double workerMicros,
    Snapshot before) {}
