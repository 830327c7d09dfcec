package io.kairos.bench.replica;

import io.kairos.bench.replica.BenchReplicaProcess.State;
import io.kairos.bench.replica.ReplicaSettings.Kind;
import io.kairos.bench.replica.ReplicaSettings.Log;
import io.kairos.bench.report.FigureList;
import io.kairos.bench.report.FigureList.FigureColumns;
import io.kairos.bench.report.FigureList.Unit;
import io.kairos.bench.report.ProgressLog;
import io.kairos.bench.report.RunVerdict;
import io.kairos.bench.report.ShownNumbers;
import io.kairos.bench.rig.WorkFolder;
import io.kairos.bench.trial.TrialReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Wipes followers of three replicas with very many entries, and measures the time until each is
 * equal to the others again: from the start of its process to an equal digest at one sequence,
 * which is at least the leader's sequence at the start.
 */
record WipeRun(WorkFolder folder, ProgressLog progress, Duration tick, int entries) {
  private static final int REPLICAS = 3;

  /** A period so long that each entry fires once, at the first tick. */
  private static final Duration PERIOD = Duration.ofDays(1);

  private static final int CLIENTS = 64;

  /** More than twice as many as between two snapshots. */
  private static final int REQUESTS = 25_000;

  private static final Duration LIMIT = Duration.ofSeconds(15);
  private static final Duration READY_WITHIN = Duration.ofMinutes(3);

  /**
   * One wipe, in milliseconds since the start of the process.
   *
   * @param open when the log was open
   * @param restored when the last snapshot that it was given was its state; -1 for none
   * @param equal when it was equal
   * @param snapshotBytes of that snapshot
   */
  private record FilledReplica(long open, long restored, long equal, long snapshotBytes) {
    FigureColumns columns() {
      return new FigureColumns()
          .add("openMillis", "JVM, log open", Unit.MILLIS, open)
          .add("restoredMillis", "state given", Unit.MILLIS, restored)
          .add("equalMillis", "equal", Unit.MILLIS, equal)
          .add("snapshotBytes", "snapshot", Unit.BYTES, snapshotBytes);
    }
  }

  TrialReport run(int times) {
    List<FilledReplica> wipes = new ArrayList<>();
    try (BenchReplicas cluster =
        new BenchReplicas(folder, "wipe", REPLICAS, Kind.CRON, Log.RATIS, tick)) {
      cluster.put(entries, PERIOD);
      progress.say(ShownNumbers.count(entries) + " entries are in");
      for (BenchReplicaProcess replica : cluster.replicas()) {
        BenchReplicas.await(
            () -> replica.state().fires() == entries, READY_WITHIN, "not all entries have fired");
      }
      makeSnapshots(cluster);
      for (int i = 1; i <= times; i++) {
        FilledReplica filled = wipe(cluster, i);
        wipes.add(filled);
        progress.say("wipe %d: equal after %d ms".formatted(i, filled.equal()));
      }
      State end = cluster.awaitEqual();
      if (end.fires() != entries) {
        throw new IllegalStateException(
            "%d actions ran, of %d entries that are due once".formatted(end.fires(), entries));
      }
    }
    return finding(wipes);
  }

  private static void makeSnapshots(BenchReplicas cluster) {
    cluster.replica(0).load(0, CLIENTS, REQUESTS);
    BenchReplicas.await(
        () -> cluster.replica(0).acknowledged() >= REQUESTS,
        READY_WITHIN,
        "the requests are not done");
    for (int number = 0; number < REPLICAS; number++) {
      int each = number;
      BenchReplicas.await(
          () -> cluster.hasSnapshot(each), READY_WITHIN, "there is no snapshot of replica " + each);
    }
  }

  /** The two that follow in turn. */
  private FilledReplica wipe(BenchReplicas cluster, int time) {
    int leads = cluster.leader();
    int wiped = (leads + 1 + time % (REPLICAS - 1)) % REPLICAS;
    BenchReplicaProcess leader = cluster.replica(leads);
    cluster.replica(wiped).kill();
    cluster.wipe(wiped);
    BenchReplicaProcess back = cluster.restart(wiped);
    back.awaitOpen();
    long open = since(back, System.nanoTime());
    BenchReplicas.await(() -> isEqual(back, leader), READY_WITHIN, "the wiped one stays behind");
    long equal = since(back, System.nanoTime());
    BenchReplicaProcess.Restored restored = back.restored();
    return new FilledReplica(
        open,
        restored.atNanos() == 0 ? -1 : since(back, restored.atNanos()),
        equal,
        restored.bytes());
  }

  /** Asks for digests, which cost something, only where they may be equal. */
  private static boolean isEqual(BenchReplicaProcess back, BenchReplicaProcess leader) {
    if (back.where() < leader.where()) {
      return false;
    }
    State own = back.state();
    State other = leader.state();
    if (own.sequence() == other.sequence() && !own.equals(other)) {
      throw new IllegalStateException("equal sequences and other states: " + own + ", " + other);
    }
    return own.equals(other);
  }

  private static long since(BenchReplicaProcess replica, long atNanos) {
    return Duration.ofNanos(atNanos - replica.startedNanos()).toMillis();
  }

  private TrialReport finding(List<FilledReplica> wipes) {
    RunVerdict verdict =
        new RunVerdict()
            .expect(
                wipes.stream().allMatch(filled -> filled.restored >= 0),
                "a replica was filled without a snapshot")
            .expect(
                wipes.stream().allMatch(filled -> filled.equal <= LIMIT.toMillis()),
                "a replica took longer than " + LIMIT);
    FigureList figures =
        new FigureList()
            .row("wiped replica back and equal")
            .note("at most 15 s, aim 8 s")
            .count("entries", "periodic entries", entries)
            .add("tickMillis", "tick", Unit.MILLIS, tick.toMillis())
            .lines("wipes", wipes.stream().map(FilledReplica::columns).toList());
    return new TrialReport(figures, verdict);
  }
}
