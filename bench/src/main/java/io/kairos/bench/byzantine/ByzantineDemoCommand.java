package io.kairos.bench.byzantine;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.Durations;
import com.google.protobuf.util.Timestamps;
import io.kairos.api.v1.CronEntry;
import io.kairos.api.v1.CronServiceGrpc.CronServiceBlockingStub;
import io.kairos.api.v1.PutCronEntryRequest;
import io.kairos.api.v1.PutCronTableRequest;
import io.kairos.api.v1.Replica;
import io.kairos.bench.report.RunVerdict;
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
      "Runs four replicas with replica.log: hashgraph, each a process on this machine. One attacks the others in every way, one after the other; these are killed and started again, one at a time.",
      "Exit code 0: during each attack the table advanced, agreed time was right, and the others have counted what shows; in the end they are equal, have lost no request, and know who forked. 1: something else, which is printed. Needs the packed application and its add-on, which ./kairos replica demo --byzantine builds."
    })
public final class ByzantineDemoCommand implements Callable<Integer> {
  static final long COMPONENT = 1;
  static final int BEAT = 10;
  private static final com.google.protobuf.Duration TICK = Durations.fromMillis(200);
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Duration LOOK_EVERY = Duration.ofMillis(200);
  private static final Duration DOWN = Duration.ofMillis(500);

  private final PrintStream out = System.out;
  private final List<AttackRecord> records = new ArrayList<>();
  private SplittableRandom random = new SplittableRandom();

  @Mixin PlaceOptions place = new PlaceOptions();

  @Option(names = "--byzantine", hidden = true, description = "Named by the start script.")
  boolean byzantine;

  @Option(
      names = "--seconds",
      defaultValue = "4",
      description = "How long each attack takes before a replica is killed, and after it is back.")
  int seconds;

  @Option(
      names = "--only",
      split = ",",
      description = "Only these attacks: ${COMPLETION-CANDIDATES}")
  List<Attack> only = List.of();

  @Option(
      names = "--seed",
      description =
          "Decides who is killed, and what the hostile replica draws (default: another one each time).")
  @Nullable Long seed;

  private int kills;

  @Override
  public Integer call() throws IOException, InterruptedException {
    long drawn = seed == null ? random.nextLong(1_000_000) : seed;
    random = new SplittableRandom(drawn);
    try (WorkFolder folder = place.folder();
        DemoPushReceiver receiver = new DemoPushReceiver()) {
      say(
          "Starting four replicas, each a process, in %s; replica %d is hostile, by seed %d ...",
          folder.folder(), ByzantineCluster.HOSTILE, drawn);
      try (ByzantineCluster cluster = new ByzantineCluster(folder.folder(), random.nextLong())) {
        return run(cluster, receiver);
      }
    }
  }

  private int run(ByzantineCluster cluster, DemoPushReceiver receiver)
      throws IOException, InterruptedException {
    demand(
        "four replicas that reach each other",
        () -> Optional.of(true).filter(_ -> isTogether(cluster)));
    put(cluster.honest().getFirst(), receiver.url());
    long putNanos = System.nanoTime();
    demand(
        "a first tick", () -> cluster.look().stream().filter(Replica::hasAgreedTime).findFirst());
    say(
        "They reach each other. Put an entry: every second push once to this program; a client puts other entries, one after the other.%n");
    List<Attack> attacks = only.isEmpty() ? List.of(Attack.values()) : only;
    SteadyRequests requests = new SteadyRequests(COMPONENT, cluster.honest());
    try {
      for (Attack attack : attacks) {
        attack(cluster, receiver, attack);
      }
      long _ = cluster.hostile().begin(null);
    } finally {
      requests.close();
    }
    return report(cluster, receiver, requests, putNanos);
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
    CronServiceBlockingStub calls = replica.calls().withDeadlineAfter(PATIENCE);
    calls.putCronTable(
        PutCronTableRequest.newBuilder().setComponent(COMPONENT).setTick(TICK).build());
    calls.putCronEntry(
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

  /** One attack, during which one of the others is killed and started again. */
  private void attack(ByzantineCluster cluster, DemoPushReceiver receiver, Attack attack)
      throws IOException, InterruptedException {
    say("Replica %d %s ...", ByzantineCluster.HOSTILE, attack.words());
    Map<Integer, Replica> before = byNumber(cluster);
    int pushesBefore = receiver.distinct();
    long _ = cluster.hostile().begin(attack);
    ClockError clockBefore = watch(cluster);
    int killed = random.nextInt(ByzantineCluster.HOSTILE);
    DemoReplica victim = cluster.honest().get(killed);
    Map<String, Long> seenByVictim =
        AttackRecord.growth(counts(before.get(killed)), counts(victim.look().orElse(null)));
    victim.kill();
    kills++;
    Thread.sleep(DOWN);
    long others = cluster.look().stream().mapToLong(Replica::getSequence).max().orElse(0);
    victim.start();
    demand(
        "replica %d, which was killed and started again".formatted(killed),
        () -> victim.look().filter(each -> each.getSequence() > others));
    ClockError clock = clockBefore.worst(watch(cluster));
    await(() -> Optional.of(true).filter(_ -> receiver.distinct() > pushesBefore));
    Map<Integer, Replica> after = byNumber(cluster);
    List<Map<String, Long>> seen = new ArrayList<>();
    for (int number = 0; number < ByzantineCluster.HOSTILE; number++) {
      Map<String, Long> counted = counts(after.get(number));
      if (number == killed) {
        seenByVictim.forEach((kind, count) -> counted.merge(kind, count, Long::sum));
        seen.add(counted);
      } else {
        seen.add(AttackRecord.growth(counts(before.get(number)), counted));
      }
    }
    AttackRecord record =
        new AttackRecord(
            attack,
            cluster.hostile().begin(attack),
            sequence(after) - sequence(before),
            receiver.distinct() - pushesBefore,
            clock,
            seen);
    records.add(record);
    say(
        "  replica %d was killed and came back; %d requests and %d pushes; %s; replica %d saw: %s",
        killed,
        record.requests(),
        record.pushes(),
        record.clock(),
        (killed + 1) % ByzantineCluster.HOSTILE,
        record.seenBy((killed + 1) % ByzantineCluster.HOSTILE));
  }

  private static Map<String, Long> counts(@Nullable Replica replica) {
    return replica == null ? new HashMap<>() : AttackRecord.counts(replica);
  }

  private static long sequence(Map<Integer, Replica> seen) {
    return seen.values().stream().mapToLong(Replica::getSequence).max().orElse(0);
  }

  private static Map<Integer, Replica> byNumber(ByzantineCluster cluster) {
    Map<Integer, Replica> seen = new HashMap<>();
    cluster.look().forEach(each -> seen.put(each.getNumber(), each));
    return seen;
  }

  /** Looks for a while, and until agreed time is near, which one that was away has yet to find. */
  private ClockError watch(ByzantineCluster cluster) throws InterruptedException {
    ClockError error = ClockError.NONE_SEEN;
    WaitDeadline deadline = WaitDeadline.in(PATIENCE);
    long untilNanos = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
    while (System.nanoTime() - untilNanos < 0 || (error.isBehind() && !deadline.hasPassed())) {
      Thread.sleep(LOOK_EVERY);
      List<Replica> seen = cluster.look();
      long now = System.currentTimeMillis();
      error =
          error.and(
              seen.stream()
                  .map(each -> Timestamps.toMillis(each.getPeerReport().getAgreedTime()) - now)
                  .toList());
    }
    return error;
  }

  private int report(
      ByzantineCluster cluster, DemoPushReceiver receiver, SteadyRequests requests, long putNanos)
      throws InterruptedException {
    Optional<Replica> equal = await(cluster::equal);
    if (records.stream().anyMatch(each -> each.attack() == Attack.FORKS)) {
      await(() -> Optional.of(true).filter(_ -> isNamed(cluster)));
    }
    DemoOutcome outcome =
        new DemoOutcome(
            records,
            equal.isPresent(),
            requests.acknowledged(),
            cluster.honest().stream().mapToInt(each -> requests.lostAt(each).size()).sum(),
            forkers(cluster),
            receiver.ids(),
            Duration.ofNanos(System.nanoTime() - putNanos).toSeconds());
    say("%nWhat the three others saw of it, and of strangers at their ports:%n");
    for (AttackRecord record : records) {
      say("%s: %s (%d times)", record.attack(), record.attack().words(), record.done());
      for (int number = 0; number < record.seen().size(); number++) {
        say("    replica %d: %s", number, record.seenBy(number));
      }
      say(
          "    meanwhile %d requests were executed and %d pushes sent; %s",
          record.requests(), record.pushes(), record.clock());
    }
    RunVerdict verdict = outcome.verdict();
    say(
        """

        digests        %s
        agreed time    %s
        forkers        %s, by the three
        requests       %d acknowledged, %d lost
        pushes         %d in %d seconds, %d of them more than once
        kill -9        %d, each of which came back
        verdict        %s
        """,
        equal
            .map(each ->
                "equal after %d requests: %s"
                    .formatted(
                        each.getLastCheckpoint().getSequence(),
                        each.getLastCheckpoint().getDigest()))
            .orElse("not equal"),
        equal.map(each -> Timestamps.toString(each.getAgreedTime())).orElse("unknown"),
        outcome.forkers(),
        outcome.acknowledged(),
        outcome.lost(),
        outcome.pushes().size(),
        outcome.seconds(),
        receiver.repeated(),
        kills,
        verdict);
    return verdict.exitCode();
  }

  /** The forkers, as each of the three names them. */
  private static List<List<Integer>> forkers(ByzantineCluster cluster) {
    return cluster.look().stream()
        .map(each -> List.copyOf(each.getPeerReport().getForkersList()))
        .toList();
  }

  private static boolean isNamed(ByzantineCluster cluster) {
    List<List<Integer>> named = forkers(cluster);
    return named.size() == ByzantineCluster.HOSTILE
        && named.stream().allMatch(each -> each.contains(ByzantineCluster.HOSTILE));
  }

  private void say(String pattern, Object... values) {
    out.printf(Locale.ROOT, pattern + "%n", values);
    out.flush();
  }

  private static <T> T demand(String what, Supplier<Optional<T>> look) throws InterruptedException {
    return await(look)
        .orElseThrow(
            () -> new IllegalStateException("no sign of %s within %s".formatted(what, PATIENCE)));
  }

  private static <T> Optional<T> await(Supplier<Optional<T>> look) throws InterruptedException {
    WaitDeadline deadline = WaitDeadline.in(PATIENCE);
    Optional<T> found = look.get();
    while (found.isEmpty() && !deadline.hasPassed()) {
      deadline.pause();
      found = look.get();
    }
    return found;
  }
}
