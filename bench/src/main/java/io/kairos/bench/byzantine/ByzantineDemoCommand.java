package io.kairos.bench.byzantine;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.Durations;
import com.google.protobuf.util.Timestamps;
import io.kairos.api.v1.CronEntry;
import io.kairos.api.v1.PutCronEntryRequest;
import io.kairos.api.v1.PutCronTableRequest;
import io.kairos.api.v1.Replica;
import io.kairos.bench.rig.PlaceOptions;
import io.kairos.bench.rig.WorkFolder;
import io.kairos.embedded.process.WaitDeadline;
import io.kairos.server.demo.DemoPushReceiver;
import io.kairos.server.demo.DemoReplica;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code kairos replica demo --byzantine}: four replicas that share one order, of which one lies.
 * Runs on the main thread.
 */
@Command(
    name = "byzantine-demo",
    mixinStandardHelpOptions = true,
    description = {
      "Runs four replicas with replica.log: hashgraph, each a process on this machine. One lies in every way, one after the other; the others are killed and started again, one at a time.",
      "Exit code 0: the others are equal, have lost no request, and know who forked; 1: they are not, have or do not. Needs the packed application and its add-on, which ./kairos replica demo --byzantine builds."
    })
public final class ByzantineDemoCommand implements Callable<Integer> {
  private static final long COMPONENT = 1;
  private static final int BEAT = 10;
  private static final com.google.protobuf.Duration TICK = Durations.fromMillis(200);
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration LOOK_EVERY = Duration.ofMillis(200);
  private static final Duration DOWN = Duration.ofMillis(500);

  private final PrintStream out = System.out;
  private final SplittableRandom random = new SplittableRandom();
  private final List<LieRecord> records = new ArrayList<>();

  @Mixin PlaceOptions place = new PlaceOptions();

  @Option(names = "--byzantine", hidden = true, description = "Named by the start script.")
  boolean byzantine;

  @Option(
      names = "--seconds",
      defaultValue = "4",
      description = "How long each lie takes before a replica is killed.")
  int seconds;

  @Option(names = "--only", description = "Only these lies.")
  List<Lie> only = List.of();

  private int kills;

  @Override
  public Integer call() throws IOException, InterruptedException {
    try (WorkFolder folder = place.folder();
        DemoPushReceiver receiver = new DemoPushReceiver()) {
      say(
          "Starting four replicas, each a process, in %s; replica %d lies ...",
          folder.folder(), ByzantineCluster.HOSTILE);
      try (ByzantineCluster cluster = new ByzantineCluster(folder.folder())) {
        return run(cluster, receiver) ? 0 : 1;
      }
    }
  }

  private boolean run(ByzantineCluster cluster, DemoPushReceiver receiver)
      throws IOException, InterruptedException {
    await(
        "four replicas that reach each other",
        () -> Optional.of(true).filter(_ -> isTogether(cluster)));
    put(cluster.honest().getFirst(), receiver.url());
    await("a first tick", () -> cluster.look().stream().filter(Replica::hasAgreedTime).findFirst());
    say(
        "They reach each other. Put an entry: every second push once to this program; a client puts other entries, one after the other.%n");
    List<Lie> lies = only.isEmpty() ? List.of(Lie.values()) : only;
    SteadyRequests requests = new SteadyRequests(COMPONENT, cluster.honest());
    try {
      for (Lie lie : lies) {
        lie(cluster, lie);
      }
      cluster.hostile().begin(null);
    } finally {
      requests.close();
    }
    Replica equal = await("equal digests", cluster::equal);
    return report(cluster, receiver, requests, equal, lies);
  }

  private static boolean isTogether(ByzantineCluster cluster) {
    List<Replica> seen = cluster.look();
    return seen.size() == ByzantineCluster.HOSTILE
        && seen.stream()
            .allMatch(each ->
                each.getPeerReport().getPeersList().stream()
                    .allMatch(Replica.PeerReport.Peer::getConnected));
  }

  private static void put(DemoReplica replica, String url) {
    replica
        .calls()
        .putCronTable(
            PutCronTableRequest.newBuilder().setComponent(COMPONENT).setTick(TICK).build());
    replica
        .calls()
        .putCronEntry(
            PutCronEntryRequest.newBuilder()
                .setEntry(
                    CronEntry.newBuilder()
                        .setComponent(COMPONENT)
                        .setPosition(BEAT)
                        .setTitle("beat")
                        .setFixedRate(
                            CronEntry.FixedRate.newBuilder().setPeriod(Durations.fromSeconds(1)))
                        .setPush(
                            CronEntry.Push.newBuilder()
                                .setUrl(url)
                                .setContentType("text/plain")
                                .setBody(ByteString.copyFromUtf8("beat"))))
                .build());
  }

  /** One lie, during which one of the others is killed and started again. */
  private void lie(ByzantineCluster cluster, Lie lie) throws IOException, InterruptedException {
    say("Replica %d %s ...", ByzantineCluster.HOSTILE, lie.words());
    Map<Integer, Replica> before = byNumber(cluster);
    cluster.hostile().begin(lie);
    long clockMillis = watch(cluster);
    int killed = random.nextInt(ByzantineCluster.HOSTILE);
    DemoReplica victim = cluster.honest().get(killed);
    victim.kill();
    kills++;
    Thread.sleep(DOWN);
    long others = cluster.look().stream().mapToLong(Replica::getSequence).max().orElse(0);
    victim.start();
    await(
        "replica %d, which was killed and started again".formatted(killed),
        () -> victim.look().filter(each -> each.getSequence() > others));
    long _ = watch(cluster); // while one more was away than may be, time stood still
    Map<Integer, Replica> after = byNumber(cluster);
    List<String> seen = new ArrayList<>();
    for (int number = 0; number < ByzantineCluster.HOSTILE; number++) {
      seen.add(LieRecord.growth(counts(before.get(number)), counts(after.get(number))));
    }
    LieRecord record = new LieRecord(lie, sequence(after) - sequence(before), clockMillis, seen);
    records.add(record);
    say(
        "  replica %d was killed and came back; %d requests; agreed time within %d ms of the clock before that; replica 0 saw: %s",
        killed, record.requests(), record.clockMillis(), record.seen().getFirst());
  }

  private static Map<String, Long> counts(@Nullable Replica replica) {
    return replica == null ? Map.of() : LieRecord.counts(replica);
  }

  private static long sequence(Map<Integer, Replica> seen) {
    return seen.values().stream().mapToLong(Replica::getSequence).max().orElse(0);
  }

  private static Map<Integer, Replica> byNumber(ByzantineCluster cluster) {
    Map<Integer, Replica> seen = new HashMap<>();
    cluster.look().forEach(each -> seen.put(each.getNumber(), each));
    return seen;
  }

  /** Looks for a while; returns how far agreed time was ahead of or behind the clock, at most. */
  private long watch(ByzantineCluster cluster) throws InterruptedException {
    long mostMillis = 0;
    long untilNanos = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
    while (System.nanoTime() - untilNanos < 0) {
      for (Replica each : cluster.look()) {
        long agreed = Timestamps.toMillis(each.getPeerReport().getAgreedTime());
        mostMillis = Math.max(mostMillis, Math.abs(System.currentTimeMillis() - agreed));
      }
      Thread.sleep(LOOK_EVERY);
    }
    return mostMillis;
  }

  private boolean report(
      ByzantineCluster cluster,
      DemoPushReceiver receiver,
      SteadyRequests requests,
      Replica equal,
      List<Lie> lies)
      throws InterruptedException {
    boolean hasForked = lies.contains(Lie.FORKS);
    List<Integer> forked =
        hasForked
            ? await(
                "replica %d among the forkers of all others".formatted(ByzantineCluster.HOSTILE),
                () -> Optional.of(forkers(cluster)).filter(each -> !each.isEmpty()))
            : forkers(cluster);
    int lost = cluster.honest().stream().mapToInt(each -> requests.lostAt(each).size()).sum();
    say("%nWhat the three others saw of it, and of strangers at their ports:%n");
    for (LieRecord record : records) {
      say("%s", record.lie().words());
      for (int number = 0; number < record.seen().size(); number++) {
        say("    replica %d: %s", number, record.seen().get(number));
      }
      say(
          "    meanwhile %d requests were executed, and agreed time was within %d ms of the clock while none was killed",
          record.requests(), record.clockMillis());
    }
    say(
        """

        digests        equal after %d requests: %s
        agreed time    %s
        forkers        %s, as all three know
        requests       %d acknowledged, %d lost
        pushes         %d, %d of them more than once
        kill -9        %d, each of which came back
        """,
        equal.getLastCheckpoint().getSequence(),
        equal.getLastCheckpoint().getDigest(),
        Timestamps.toString(equal.getAgreedTime()),
        forked.isEmpty() ? "none" : forked,
        requests.acknowledged(),
        lost,
        receiver.distinct(),
        receiver.repeated(),
        kills);
    return lost == 0
        && requests.acknowledged() > 0
        && (!hasForked || forked.equals(List.of(ByzantineCluster.HOSTILE)));
  }

  /** The forkers that all three know; empty unless they name the same. */
  private static List<Integer> forkers(ByzantineCluster cluster) {
    List<List<Integer>> named =
        cluster.look().stream()
            .map(each -> List.copyOf(each.getPeerReport().getForkersList()))
            .toList();
    return named.size() == ByzantineCluster.HOSTILE && named.stream().distinct().count() == 1
        ? named.getFirst()
        : List.of();
  }

  private void say(String pattern, Object... values) {
    out.printf(Locale.ROOT, pattern + "%n", values);
    out.flush();
  }

  private static <T> T await(String what, Supplier<Optional<T>> look) throws InterruptedException {
    WaitDeadline deadline = WaitDeadline.in(PATIENCE);
    Optional<T> found = look.get();
    while (found.isEmpty() && !deadline.hasPassed()) {
      deadline.pause();
      found = look.get();
    }
    return found.orElseThrow(
        () -> new IllegalStateException("no sign of %s within %s".formatted(what, PATIENCE)));
  }
}
