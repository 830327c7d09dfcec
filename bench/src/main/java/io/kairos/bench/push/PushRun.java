package io.kairos.bench.push;

import io.kairos.bench.delay.Cost;
import io.kairos.bench.delay.Progress;
import io.kairos.bench.delay.Snapshot;
import io.kairos.bench.load.DueTimes;
import io.kairos.bench.load.Payload;
import io.kairos.bench.load.WallClock;
import io.kairos.bench.measure.ProcessMemory;
import io.kairos.bench.observe.HiccupMeter;
import io.kairos.bench.observe.Lateness;
import io.kairos.bench.observe.Ledger;
import io.kairos.bench.report.Shown;
import io.kairos.bench.rig.NodeProcess;
import io.kairos.bench.rig.Rig;
import io.kairos.bench.task.KairosTarget;
import io.kairos.bench.task.TaskLoad;
import io.kairos.bench.task.TaskStoreCount;
import io.kairos.client.KairosClient;
import io.kairos.client.PoolDefinition;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/** One run on a rig whose node runs: warm-up, measured part, drain. */
final class PushRun {
  private static final String POOL = "bench";
  private static final String TABLE = "task";
  private static final Duration HEAD_START = Duration.ofSeconds(2);
  private static final Duration LOOK_EVERY = Duration.ofMillis(100);
  private static final Duration TELL_EVERY = Duration.ofSeconds(10);

  /**
   * Without an arrival or an end for so long, and the time of a request, what is missing is lost.
   */
  private static final Duration QUIET = Duration.ofSeconds(30);

  private final Rig rig;
  private final NodeProcess node;
  private final Progress progress;
  private final PushOptions options;
  private final Payload payload;

  PushRun(Rig rig, NodeProcess node, Progress progress, PushOptions options, int payloadBytes) {
    this.rig = rig;
    this.node = node;
    this.progress = progress;
    this.options = options;
    this.payload = new Payload(new SplittableRandom().nextLong() >>> 1, payloadBytes);
  }

  PushResult run() throws SQLException, InterruptedException {
    long start = WallClock.micros() + micros(HEAD_START);
    long measuredFrom = start + micros(options.warmup);
    long end = measuredFrom + micros(options.duration);
    Ledger ledger = new Ledger(start, measuredFrom, end);
    try (Connection connection = rig.connect();
        HiccupMeter hiccups = HiccupMeter.start();
        KairosClient client = KairosClient.connect(node.address());
        PushReceiver receiver =
            PushReceiver.start(
                options.endpoints,
                (request, atMicros) -> note(request.content().array(), atMicros, ledger),
                options.hold)) {
      client
          .pools()
          .create(
              PoolDefinition.of(POOL)
                  .listed(receiver.urls())
                  .maxInFlight(options.inFlight)
                  .requestTimeout(options.hold.plusSeconds(30)));
      TaskStoreCount before = TaskStoreCount.of(connection);
      try (TaskLoad load =
          new TaskLoad(
                  KairosTarget.ofPool(client, POOL),
                  new TaskLoad.Plan(
                      options.rate,
                      options.batch,
                      options.outstanding,
                      options.callers,
                      start,
                      end),
                  payload,
                  DueTimes.after(options.delay, options.delay, payload.run()),
                  () -> ledger.count().distinct())
              .start()) {
        watchUntil(measuredFrom, load, ledger);
        hiccups.forget();
        Moment from = moment(connection, load, ledger);
        if (options.loseEndpoint) {
          watchUntil((measuredFrom + end) / 2, load, ledger);
          receiver.lose(0);
          progress.say("an endpoint is gone");
        }
        watchUntil(end, load, ledger);
        Lateness hiccup = hiccups.take();
        Moment until = moment(connection, load, ledger);
        load.join();
        drain(connection, before, ledger);
        double seconds = Duration.between(from.snapshot.at(), until.snapshot.at()).toNanos() / 1e9;
        long pushed = until.arrived - from.arrived;
        return new PushResult(
            options,
            load.sent(),
            load.uncertain().size(),
            Duration.ofNanos(load.worstLagMicros() * 1_000),
            (until.accepted - from.accepted) / seconds,
            pushed / seconds,
            ledger.lateness(),
            hiccup,
            ledger.count(),
            load.missingFrom(ledger),
            receiver.most(),
            TaskStoreCount.of(connection).since(before),
            Cost.between(from.snapshot, until.snapshot, pushed),
            ProcessMemory.peakResident(node.pid()),
            ledger.perSecond());
      }
    }
  }

  private void note(byte[] body, long atMicros, Ledger ledger) {
    if (payload.isOurs(body)) {
      ledger.arrived(
          Payload.sequence(body), Payload.dueMicros(body), atMicros, payload.isIntact(body));
    }
  }

  private record Moment(Snapshot snapshot, long accepted, long arrived) {}

  private Moment moment(Connection connection, TaskLoad load, Ledger ledger) throws SQLException {
    long accepted = load.accepted(); // before the snapshot, which takes its time
    long arrived = ledger.count().distinct();
    return new Moment(Snapshot.take(rig, connection, TABLE), accepted, arrived);
  }

  private void watchUntil(long micros, TaskLoad load, Ledger ledger) {
    long tellAt = System.nanoTime() + TELL_EVERY.toNanos();
    while (WallClock.micros() < micros) {
      LockSupport.parkNanos(Math.min(LOOK_EVERY.toNanos(), (micros - WallClock.micros()) * 1_000));
      if (System.nanoTime() - tellAt > 0) {
        progress.say(
            "%s accepted, %s received"
                .formatted(Shown.count(load.accepted()), Shown.count(ledger.count().distinct())));
        tellAt += TELL_EVERY.toNanos();
      }
    }
  }

  /** Until the store has nothing left of this run, or nothing changes any more. */
  private void drain(Connection connection, TaskStoreCount before, Ledger ledger)
      throws SQLException {
    long patience = QUIET.plus(options.hold).toNanos();
    long last = Long.MAX_VALUE;
    long arrived = -1;
    long quietSince = System.nanoTime();
    while (last > 0 && System.nanoTime() - quietSince < patience) {
      LockSupport.parkNanos(LOOK_EVERY.toNanos());
      long left = TaskStoreCount.unfinished(connection) - before.unfinished();
      long came = ledger.count().distinct();
      if (left != last || came != arrived) {
        last = left;
        arrived = came;
        quietSince = System.nanoTime();
      }
    }
  }

  private static long micros(Duration duration) {
    return duration.toNanos() / 1_000;
  }
}
