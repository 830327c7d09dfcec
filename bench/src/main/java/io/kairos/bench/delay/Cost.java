package io.kairos.bench.delay;

import io.kairos.bench.measure.StoreFigures;
import java.time.Duration;

/**
 * What one message cost in the measured part of a run.
 *
 * @param loadMicros generator and observer, which are not part of what is measured but share the
 *     cores
 */
public record Cost(
    double nodeMicros,
    double brokerMicros,
    double postgresMicros,
    double loadMicros,
    double coresBusy,
    double walBytes,
    double walFullPageImages,
    double walSyncsPerSecond,
    double commitsPerSecond,
    long checkpoints,
    long autovacuums,
    long tableBytesBefore,
    long tableBytesAfter,
    long deadRowsAfter) {
  /** Of so many messages or tasks. */
  public static Cost between(Snapshot from, Snapshot until, long messages) {
    double count = Math.max(1, messages);
    double seconds = Duration.between(from.at(), until.at()).toNanos() / 1e9;
    StoreFigures before = from.store();
    StoreFigures after = until.store();
    double node = micros(from.nodeTime(), until.nodeTime());
    double broker = micros(from.brokerTime(), until.brokerTime());
    double postgres = micros(from.postgresTime(), until.postgresTime());
    double load = micros(from.benchTime(), until.benchTime());
    return new Cost(
        node / count,
        broker / count,
        postgres / count,
        load / count,
        (node + broker + postgres + load) / 1e6 / seconds,
        (after.walBytes() - before.walBytes()) / count,
        (after.walFullPageImages() - before.walFullPageImages()) / count,
        (after.walSyncs() - before.walSyncs()) / seconds,
        (after.commits() - before.commits()) / seconds,
        after.checkpoints() - before.checkpoints(),
        after.autovacuums() - before.autovacuums(),
        before.totalBytes(),
        after.totalBytes(),
        after.deadRows());
  }

  private static double micros(Duration from, Duration until) {
    return until.minus(from).toNanos() / 1e3;
  }

  /** Node, broker and Postgres together. */
  public double systemMicros() {
    return nodeMicros + brokerMicros + postgresMicros;
  }
}
