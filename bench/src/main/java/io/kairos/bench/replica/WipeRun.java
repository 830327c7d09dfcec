package io.kairos.bench.replica;

import io.kairos.bench.delay.Progress;
import io.kairos.bench.replica.ReplicaProcess.State;
import io.kairos.bench.replica.ReplicaSettings.Kind;
import io.kairos.bench.report.Shown;
import io.kairos.bench.report.Table;
import io.kairos.bench.rig.TalkingProcess.Line;
import io.kairos.bench.rig.Workplace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Wipes followers of three replicas that have very many entries, and measures until each is equal
 * to the others again: from the start of its process to the same digest at the same sequence, which
 * is no lower than where the leader then is.
 */
final class WipeRun {
  private static final int REPLICAS = 3;

  /** So long that each entry fires once, at the first tick, and not again. */
  private static final Duration PERIOD = Duration.ofDays(1);

  private static final int CLIENTS = 64;

  /** More than twice as many as between two snapshots. */
  private static final int REQUESTS = 25_000;

  private static final Duration LIMIT = Duration.ofSeconds(15);
  private static final Duration AIM = Duration.ofSeconds(8);
  private static final Duration READY_WITHIN = Duration.ofMinutes(3);

  private final Workplace workplace;
  private final Progress progress;
  private final Duration tick;
  private final int entries;

  WipeRun(Workplace workplace, Progress progress, Duration tick, int entries) {
    this.workplace = workplace;
    this.progress = progress;
    this.tick = tick;
    this.entries = entries;
  }

  /**
   * One wipe, in milliseconds since the start of the process.
   *
   * @param open when the log was open
   * @param restored when the last snapshot that it was given was its state; -1 for none
   * @param equal when it was equal
   * @param snapshotBytes of that snapshot
   */
  private record Filled(long open, long restored, long equal, long snapshotBytes) {}

  Finding run(int times) {
    List<Filled> wipes = new ArrayList<>();
    try (ReplicaCluster cluster =
        new ReplicaCluster(workplace, "wipe", REPLICAS, Kind.CRON, tick)) {
      cluster.put(entries, PERIOD);
      progress.say(Shown.count(entries) + " entries are in");
      for (ReplicaProcess replica : cluster.replicas()) {
        ReplicaCluster.await(
            () -> replica.state().fires() == entries, READY_WITHIN, "not all entries have fired");
      }
      makeSnapshots(cluster);
      for (int i = 1; i <= times; i++) {
        Filled filled = wipe(cluster, i);
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

  private static void makeSnapshots(ReplicaCluster cluster) {
    cluster.replica(0).load(0, CLIENTS, REQUESTS);
    ReplicaCluster.await(
        () -> cluster.replica(0).mark().acknowledged() >= REQUESTS,
        READY_WITHIN,
        "the requests are not done");
    for (int number = 0; number < REPLICAS; number++) {
      int each = number;
      ReplicaCluster.await(
          () -> cluster.hasSnapshot(each), READY_WITHIN, "there is no snapshot of replica " + each);
    }
  }

  /** The two that follow in turn. */
  private Filled wipe(ReplicaCluster cluster, int time) {
    int leads = cluster.leader();
    int wiped = (leads + 1 + time % (REPLICAS - 1)) % REPLICAS;
    ReplicaProcess leader = cluster.replica(leads);
    cluster.replica(wiped).kill();
    cluster.wipe(wiped);
    ReplicaProcess back = cluster.restart(wiped);
    long open = since(back, back.awaitOpen().atNanos());
    ReplicaCluster.await(() -> isEqual(back, leader), READY_WITHIN, "the wiped one stays behind");
    long equal = since(back, System.nanoTime());
    List<Line> told = back.told();
    OptionalLong restoredAt = last(told, "restored");
    return new Filled(
        open,
        restoredAt.isPresent() ? since(back, restoredAt.getAsLong()) : -1,
        equal,
        told.stream()
            .filter(line -> line.text().startsWith("restoring"))
            .mapToLong(line -> Long.parseLong(line.text().split(" ", -1)[1]))
            .reduce(0, (_, next) -> next));
  }

  /** Asks for digests, which cost something, only where they may be equal. */
  private static boolean isEqual(ReplicaProcess back, ReplicaProcess leader) {
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

  private static OptionalLong last(List<Line> told, String text) {
    return told.stream().filter(line -> line.text().equals(text)).mapToLong(Line::atNanos).max();
  }

  private static long since(ReplicaProcess replica, long atNanos) {
    return Duration.ofNanos(atNanos - replica.startedNanos()).toMillis();
  }

  private Finding finding(List<Filled> wipes) {
    Table table =
        new Table()
            .row(
                "wipe",
                "JVM, log open ms",
                "state given ms",
                "caught up ms",
                "in all ms",
                "snapshot");
    List<Map<String, Object>> rows = new ArrayList<>();
    List<String> failures = new ArrayList<>();
    for (int i = 0; i < wipes.size(); i++) {
      Filled filled = wipes.get(i);
      long given = Math.max(filled.open(), filled.restored());
      table.row(
          i + 1,
          filled.open(),
          filled.restored() < 0 ? "none" : given - filled.open(),
          filled.equal() - given,
          filled.equal(),
          Shown.mebibytes(filled.snapshotBytes()));
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("openMillis", filled.open());
      row.put("restoredMillis", filled.restored());
      row.put("equalMillis", filled.equal());
      row.put("snapshotBytes", filled.snapshotBytes());
      rows.add(row);
      if (filled.restored() < 0) {
        failures.add("wipe %d was filled without a snapshot".formatted(i + 1));
      }
      if (filled.equal() > LIMIT.toMillis()) {
        failures.add("wipe %d took %d ms".formatted(i + 1, filled.equal()));
      }
    }
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("entries", entries);
    data.put("tickMillis", tick.toMillis());
    data.put("wipes", rows);
    return new Finding(
        "wiped replica back and equal, %s periodic entries (at most %d s, aim %d s)"
            .formatted(Shown.count(entries), LIMIT.toSeconds(), AIM.toSeconds()),
        table,
        data,
        failures);
  }
}
