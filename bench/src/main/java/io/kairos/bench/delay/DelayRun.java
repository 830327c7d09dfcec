package io.kairos.bench.delay;

import io.kairos.bench.load.DueTimes;
import io.kairos.bench.load.Generator;
import io.kairos.bench.load.LoadPlan;
import io.kairos.bench.load.Payload;
import io.kairos.bench.load.WallClock;
import io.kairos.bench.measure.GcLog;
import io.kairos.bench.measure.StoreFigures;
import io.kairos.bench.measure.StoredMessages;
import io.kairos.bench.observe.HiccupMeter;
import io.kairos.bench.observe.Lateness;
import io.kairos.bench.observe.Ledger;
import io.kairos.bench.observe.Observer;
import io.kairos.bench.report.Shown;
import io.kairos.bench.rig.Rig;
import io.kairos.bench.rig.RouteTopics;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * One open-loop run on a rig whose nodes run: warm-up, measured part, drain. Can be repeated on the
 * same rig; each run is told apart by its own number, so leftovers of one cannot count for another.
 */
final class DelayRun {
  private static final Duration HEAD_START = Duration.ofMillis(500);

  /** Between two looks; short enough for a smooth progress line, long enough to cost nothing. */
  private static final Duration TELL_EVERY = Duration.ofSeconds(10);

  /**
   * After this long without an arrival what is missing counts as lost: three times the hold time.
   */
  private static final Duration QUIET = Duration.ofSeconds(15);

  /**
   * A second copy would come when the hold time is over and the backstop finds the first one's row.
   */
  private static final Duration LINGER = Duration.ofSeconds(7);

  private final Rig rig;
  private final RouteTopics topics;
  private final Progress progress;

  DelayRun(Rig rig, RouteTopics topics, Progress progress) {
    this.rig = rig;
    this.topics = topics;
    this.progress = progress;
  }

  DelayResult run(DelaySettings settings) throws SQLException {
    Map<String, Double> countedBefore = NodeCounters.sum(rig.nodes());
    long run = new SplittableRandom().nextLong() >>> 1;
    Payload payload = new Payload(run, settings.valueBytes());
    long startMicros = WallClock.micros() + micros(HEAD_START);
    long measuredFrom = startMicros + micros(settings.warmup());
    long measuredUntil = measuredFrom + micros(settings.duration());
    Ledger ledger = new Ledger(startMicros, measuredFrom, measuredUntil);
    LoadPlan plan =
        new LoadPlan(
            topics.input(),
            payload,
            DueTimes.after(settings.delayMin(), settings.delayMax(), run),
            settings.count(),
            settings.perSecond());
    List<Long> tableBytes = new ArrayList<>();
    try (Connection connection = rig.connect();
        HiccupMeter hiccups = HiccupMeter.start();
        Observer observer =
            Observer.start(rig.bootstrapServers(), topics.output(), payload, ledger, _ -> {});
        Generator generator = Generator.start(rig.bootstrapServers(), plan, startMicros)) {
      watch(measuredFrom, connection, generator, ledger, tableBytes);
      hiccups.forget();
      Snapshot from = Snapshot.take(rig, connection, StoredMessages.TABLE);
      watch(measuredUntil, connection, generator, ledger, tableBytes);
      Lateness hiccup = hiccups.take();
      Snapshot until = Snapshot.take(rig, connection, StoredMessages.TABLE);
      generator.await(Duration.ofMinutes(10));
      observer.awaitDistinct(
          generator.sent() - generator.refused().size(), generator.lastDueMicros(), QUIET);
      observer.linger(LINGER);
      Lateness lateness = ledger.lateness();
      return new DelayResult(
          settings,
          generator.sent(),
          generator.refused().size(),
          generator.worstLag(),
          generator.acknowledged() * 1e6 / Math.max(1, generator.endMicros() - startMicros),
          lateness.count() / (settings.duration().toNanos() / 1e9),
          lateness,
          hiccup,
          ledger.count(),
          ledger.missing(generator.sent(), generator.refused()),
          Cost.between(from, until, lateness.count()),
          rig.nodes().stream()
              .map(node -> GcLog.read(node.gcLog(), from.at(), until.at()))
              .toList(),
          NodeCounters.since(countedBefore, rig.nodes()),
          new StoredMessages(connection, topics.route()).dueBefore(generator.lastDueMicros() + 1),
          tableBytes,
          ledger.perSecond());
    }
  }

  /** Waits for a moment, telling now and then how it goes. */
  private void watch(
      long untilMicros,
      Connection connection,
      Generator generator,
      Ledger ledger,
      List<Long> tableBytes)
      throws SQLException {
    while (true) {
      long leftMicros = untilMicros - WallClock.micros();
      if (leftMicros <= 0) {
        return;
      }
      LockSupport.parkNanos(Math.min(leftMicros * 1_000, TELL_EVERY.toNanos()));
      if (untilMicros - WallClock.micros() > 0) {
        StoreFigures store = StoreFigures.read(connection, StoredMessages.TABLE);
        tableBytes.add(store.totalBytes());
        progress.say(
            "%s sent, %s arrived, p99.9 so far %s, table %s"
                .formatted(
                    Shown.count(generator.sent()),
                    Shown.count(ledger.count().distinct()),
                    Shown.millis(ledger.lateness().p999()),
                    Shown.mebibytes(store.totalBytes())));
      }
    }
  }

  private static long micros(Duration duration) {
    return duration.toNanos() / 1_000;
  }
}
