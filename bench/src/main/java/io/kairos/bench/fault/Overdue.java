package io.kairos.bench.fault;

import io.kairos.bench.delay.Flood;
import io.kairos.bench.load.Payload;
import io.kairos.bench.load.WallClock;
import io.kairos.bench.measure.ProcessMemory;
import io.kairos.bench.measure.StoredMessages;
import io.kairos.bench.observe.ArrivalLog;
import io.kairos.bench.observe.Ledger;
import io.kairos.bench.observe.Observer;
import io.kairos.bench.report.Shown;
import io.kairos.bench.rig.NodeProcess;
import io.kairos.bench.rig.Rig;
import io.kairos.bench.rig.RouteTopics;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/** A node with little memory finds a million messages overdue when it starts. */
final class Overdue implements Fault {
  private static final long COUNT = 1_000_000;
  private static final Duration WITHIN = Duration.ofSeconds(60);
  private static final String HEAP = "512m";
  private static final Duration QUIET = Duration.ofSeconds(20);
  private static final Duration LINGER = Duration.ofSeconds(8);
  private static final double ORDER_KEPT = 0.02;

  @Override
  public String name() {
    return "overdue";
  }

  @Override
  public String about() {
    return "a million messages are overdue when a node with a heap of 512 MB starts";
  }

  @Override
  public Verdict happen(FaultContext context) throws SQLException {
    Verdict verdict = new Verdict("overdue: a million, heap " + HEAP);
    long due = WallClock.micros() + Flood.timeToStore(COUNT).toNanos() / 1_000;
    Flood flood =
        new Flood(
            new Payload(new SplittableRandom().nextLong() >>> 1, context.load().valueBytes()),
            COUNT,
            due,
            WITHIN);
    ArrivalLog arrivals = new ArrivalLog();
    Ledger ledger = Ledger.ofEverything(due);
    try (Rig rig = Rig.start(context.workplace(), context.server());
        Connection connection = rig.connect()) {
      RouteTopics topics = rig.newRoute(context.partitions());
      try (Observer observer =
          Observer.start(
              rig.bootstrapServers(), topics.output(), flood.payload(), ledger, arrivals::add)) {
        Set<Long> refused = flood.fill(rig, topics);
        NodeProcess first = rig.startNode(topics, context.settings());
        double ingest = flood.ingest(new StoredMessages(connection, topics.route()));
        first.stop();
        verdict.demand(
            WallClock.micros() < due, "the messages were stored too slowly to be overdue together");
        context
            .progress()
            .say("overdue: stored at %s/s, now they lapse".formatted(Shown.count(ingest)));
        waitUntil(due + WITHIN.toNanos() / 1_000);
        NodeProcess node = rig.startNode(topics, context.settings().withHeap(HEAP));
        long readyAt = WallClock.micros();
        observer.awaitDistinct(COUNT, readyAt, QUIET);
        observer.linger(LINGER);
        ArrivalLog.Disorder disorder = arrivals.disorder();
        double seconds = (ledger.count().lastFirstAtMicros() - readyAt) / 1e6;
        verdict
            .saw(
                "drained in",
                Shown.decimal(seconds)
                    + " s after it was ready, "
                    + Shown.count(COUNT / seconds)
                    + " msg/s")
            .saw(
                "out of due order by",
                "p99.9 %s, max %s places"
                    .formatted(Shown.count(disorder.p999()), Shown.count(disorder.max())))
            .saw("peak memory", Shown.mebibytes(ProcessMemory.peakResident(node.pid())))
            .demand(node.isRunning(), "the node did not survive")
            .demand(disorder.p999() <= COUNT * ORDER_KEPT, "not in due order")
            .demand(ledger.count().duplicates() == 0, "duplicates without a failure");
        return verdict.account(
            new Scene.Accounts(
                COUNT,
                refused.size(),
                ledger.count(),
                ledger.missing(COUNT, refused),
                new StoredMessages(connection, topics.route()).dueBefore(Long.MAX_VALUE)));
      }
    }
  }

  private static void waitUntil(long micros) {
    for (long left = micros - WallClock.micros(); left > 0; left = micros - WallClock.micros()) {
      LockSupport.parkNanos(left * 1_000);
    }
  }
}
