package io.kairos.hashgraph;

import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.replica.ClientId;
import io.kairos.engine.replica.OrderedExecution;
import io.kairos.engine.replica.RequestOrigin;
import io.kairos.engine.replica.SubmissionResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Runs one seed: a cluster with up to f liars through some virtual seconds of faults, after which
 * those who tell the truth must come to one end. The same seed gives the same history, except for
 * those with real signatures.
 */
final class HashgraphSimulation {
  static final String CLUSTER = "simulated";
  private static final long MILLIS = 1_000_000;
  private static final long SECONDS = 1_000 * MILLIS;
  private static final long HEAL_AT = 3 * SECONDS;
  private static final long LOAD_UNTIL = 4 * SECONDS;
  private static final long MOST_AFTER = 90 * SECONDS;

  /** Load does not end before so many events are decided after the first lie. */
  static final int ENOUGH_DECIDED = 300;

  private static final OrderedExecution.Config EXECUTION = new OrderedExecution.Config(1_000, 50);

  final Timeline timeline = new Timeline();
  final ReplicaGroup cluster;
  final SimulatedNetwork network;
  final List<EventKeys> keys;
  final HashgraphJudge judge = new HashgraphJudge(timeline);
  private final SplittableRandom random;
  private final List<Honest> honest = new ArrayList<>();
  private final List<Liar> liars = new ArrayList<>();

  /** The result of a seed. */
  record Outcome(
      long seed,
      String scenario,
      Optional<Throwable> broken,
      Map<Rare, Integer> reached,
      long decidedAfterLie,
      boolean hasLiars,
      boolean isLarge,
      long history,
      long actions) {
    String report() {
      return "seed %d, %s: %s%nreplay with -Dsim.seed=%d"
          .formatted(
              seed, scenario, broken.map(Throwable::toString).orElse("nothing broken"), seed);
    }
  }

  private HashgraphSimulation(long seed) {
    this.random = new SplittableRandom(seed);
    int kind = random.nextInt(100);
    int size = kind < 88 ? 4 : kind < 95 ? 7 : 10;
    this.cluster = new ReplicaGroup(size, ReplicaGroup.Faults.BYZANTINE);
    this.network = new SimulatedNetwork(size, timeline, random.split());
    boolean isReal = random.nextInt(100) == 0;
    this.keys = isReal ? SimulatedKeys.ed25519(size) : SimulatedKeys.cheap(size, seed);
    if (isReal) {
      judge.reached(Rare.REAL_SIGNATURES);
    }
    if (size > 4) {
      judge.reached(Rare.SEVEN_OR_TEN);
    }
    int lying = random.nextInt(8) == 0 ? 0 : 1 + random.nextInt(cluster.mayFail());
    int first = random.nextInt(size);
    for (ReplicaId id : cluster.replicas()) {
      if (Math.floorMod(id.number() - first, size) < lying) {
        liars.add(new Liar(id, Liar.draw(random), this, random.split()));
      } else {
        honest.add(new Honest(id));
      }
    }
  }

  HashgraphConfig config(ReplicaId id) {
    return new HashgraphConfig(
        id, cluster, CLUSTER, SimulatedReplica.PACE, SimulatedReplica.BOUNDS);
  }

  OrderedExecution.Config execution() {
    return EXECUTION;
  }

  /** Errors that are made on purpose, in replicas that should tell the truth. */
  enum Mutant {
    NONE,
    FORCES_NOTHING,
    EXECUTES_OTHERWISE
  }

  static Outcome run(long seed) {
    return run(seed, Mutant.NONE);
  }

  static Outcome run(long seed, Mutant mutant) {
    HashgraphSimulation world = new HashgraphSimulation(seed);
    Honest first = world.honest.getFirst();
    world.honest.forEach(
        each -> each.replica.journal.forcesNothing = mutant == Mutant.FORCES_NOTHING);
    first.executesOtherwise = mutant == Mutant.EXECUTES_OTHERWISE;
    Optional<Throwable> broken = Optional.empty();
    try {
      world.live();
    } catch (RuntimeException e) {
      broken = Optional.of(e);
    }
    world.honest.forEach(Honest::count);
    return new Outcome(
        seed,
        world.scenario(),
        broken,
        world.judge.reached(),
        world.judge.decidedAfterLie(),
        !world.liars.isEmpty(),
        world.cluster.size() > 4,
        world.judge.history(),
        world.timeline.count());
  }

  private String scenario() {
    StringBuilder text = new StringBuilder(cluster.size() + " replicas");
    liars.forEach(liar -> text.append(", ").append(liar.id).append(' ').append(liar.lies));
    return text.toString();
  }

  private void live() {
    honest.forEach(each -> each.open(true));
    liars.forEach(Liar::start);
    honest.forEach(Honest::submitNext);
    faults();
    timeline.runUntil(HEAL_AT);
    network.heal();
    honest.forEach(each -> each.open(true));
    timeline.runUntil(LOAD_UNTIL);
    long end = LOAD_UNTIL + MOST_AFTER;
    while (needsLoad() && timeline.nowNanos() < end) {
      timeline.runUntil(timeline.nowNanos() + 100 * MILLIS);
    }
    honest.forEach(each -> each.isSubmitting = false);
    while (!isAtEnd() && timeline.nowNanos() < end) {
      timeline.runUntil(timeline.nowNanos() + 100 * MILLIS);
    }
    for (Honest each : honest) {
      HashgraphLog log = each.running();
      HashgraphJudge.check(
          !each.isWaiting,
          "progress",
          () ->
              each.id + " waits for an answer; " + honest.stream().map(Honest::describe).toList());
      HashgraphJudge.check(
          log.sequence() == honest.getFirst().running().sequence()
              && each.machine.state() == honest.getFirst().machine.state(),
          "same end",
          () ->
              "%s is at %d, round %d, with %d events; %s at %d, round %d"
                  .formatted(
                      each.id,
                      log.sequence(),
                      log.core().round(),
                      log.core().events(),
                      honest.getFirst().id,
                      honest.getFirst().running().sequence(),
                      honest.getFirst().running().core().round()));
    }
  }

  /** One who has lost its memory speaks again after rounds that only requests bring. */
  private boolean needsLoad() {
    return (judge.hasLied() && judge.decidedAfterLie() < ENOUGH_DECIDED)
        || honest.stream().anyMatch(each -> each.running().core().isSilent());
  }

  private boolean isAtEnd() {
    HashgraphLog first = honest.getFirst().running();
    return honest.stream()
            .allMatch(each -> !each.isWaiting && each.running().sequence() == first.sequence())
        && honest.stream().allMatch(each -> each.running().core().round() == first.core().round());
  }

  private void faults() {
    network.lostPerMille = random.nextInt(3) == 0 ? random.nextInt(200) : 0;
    network.slowness = random.nextInt(4) == 0 ? 1 + random.nextInt(20) : 1;
    int crashes = random.nextInt(4);
    for (int i = 0; i < crashes; i++) {
      Honest victim = honest.get(random.nextInt(honest.size()));
      long at = random.nextLong(200, 2_600) * MILLIS;
      long away = random.nextLong(1, random.nextInt(4) == 0 ? 2_500 : 400) * MILLIS;
      timeline.after(at, () -> victim.crash(false));
      timeline.after(at + away, () -> victim.open(true));
    }
    if (random.nextInt(8) == 0) {
      long at = random.nextLong(500, 2_600) * MILLIS;
      timeline.after(
          at,
          () -> {
            judge.reached(Rare.ALL_CRASHED);
            honest.forEach(each -> each.crash(false));
          });
      for (Honest each : honest) {
        timeline.after(at + random.nextLong(1, 800) * MILLIS, () -> each.open(true));
      }
    }
    if (random.nextInt(3) == 0) {
      long at = random.nextLong(100, 1_500) * MILLIS;
      Honest away = honest.get(random.nextInt(honest.size()));
      timeline.after(
          at,
          () -> {
            judge.reached(Rare.PARTITION);
            network.put(away.id, 1);
          });
      timeline.after(at + random.nextLong(100, 4_000) * MILLIS, () -> network.put(away.id, 0));
    }
    if (liars.isEmpty() && random.nextBoolean()) {
      Honest victim = honest.get(random.nextInt(honest.size()));
      long at = random.nextLong(600, 2_000) * MILLIS;
      timeline.after(at, () -> victim.crash(true));
      timeline.after(at + random.nextLong(1, 1_000) * MILLIS, () -> victim.open(false));
    }
  }

  /** A replica that tells the truth, with a client. */
  private final class Honest {
    final ReplicaId id;
    private final SimulatedReplica replica;
    private final SplittableRandom random = HashgraphSimulation.this.random.split();
    private SimulatedMachine machine = new SimulatedMachine(false);
    private boolean executesOtherwise;
    private boolean isSubmitting = true;
    private boolean isWaiting;
    private boolean hasMemory = true;
    private long request = 1;

    Honest(ReplicaId id) {
      this.id = id;
      HashgraphConfig config = config(id);
      this.replica =
          new SimulatedReplica(
              config,
              timeline,
              keys.get(id.number()),
              random.split(),
              (to, message) -> {
                judge.sent(id, message, config);
                network.send(id, to, message);
              });
      replica.clockOff = Duration.ofMillis(random.nextLong(-2_000, 2_000));
      judge.clock(replica.clockOff);
      network.listen(id, replica::receive);
    }

    HashgraphLog running() {
      return Objects.requireNonNull(replica.log());
    }

    void open(boolean withMemory) {
      if (replica.isUp()) {
        return;
      }
      if (!hasMemory) {
        judge.reached(Rare.WIPED_CAME_BACK);
      } else if (withMemory && timeline.nowNanos() > 0) {
        judge.reached(
            replica.journal.hasCheckpoint()
                ? Rare.RESTART_FROM_CHECKPOINT
                : Rare.RESTART_FROM_BEGINNING);
      }
      SimulatedMachine opened = new SimulatedMachine(executesOtherwise);
      machine = opened;
      replica.open(
          opened,
          EXECUTION,
          new HashgraphLog.Watcher() {
            private long executions;

            @Override
            public void executed(RequestOrigin origin, SubmissionResult result, Instant agreed) {
              boolean isNew = opened.executions() > executions;
              executions = opened.executions();
              if (isNew && result instanceof SubmissionResult.Done done) {
                judge.executed(id, origin, done, opened.state(), agreed);
              }
            }

            @Override
            public void round(long round, int events) {
              judge.round(id, round, events);
            }
          },
          hasMemory);
      hasMemory = true;
    }

    void crash(boolean wipes) {
      count();
      if (replica.isUp()) {
        judge.reached(Rare.HONEST_CRASH);
      }
      if (replica.crash() > 0) {
        judge.reached(Rare.TAIL_LOST);
      }
      if (wipes) {
        replica.journal.wipe();
        judge.wiped(id);
        hasMemory = false;
      }
    }

    String describe() {
      HashgraphCore core = running().core();
      return "%s in round %d, %d events, work %s, silent %s, forkers %s, %s"
          .formatted(
              id,
              core.round(),
              core.events(),
              core.hasWork(),
              core.isSilent(),
              core.forkers(),
              core);
    }

    void count() {
      HashgraphLog log = replica.log();
      if (log != null) {
        judge.counted(log.core());
      }
    }

    void submitNext() {
      if (!isSubmitting && !isWaiting) {
        return;
      }
      HashgraphLog log = replica.log();
      isWaiting = true;
      if (log == null) {
        timeline.after(50 * MILLIS, this::submitNext);
        return;
      }
      judge.submitted(id.number(), request);
      log.submit(
          new ClientId(id.number()),
          request,
          new byte[random.nextInt(200)],
          answer -> timeline.after(random.nextLong(1, 40) * MILLIS, () -> answered(answer)));
    }

    private void answered(SubmissionResult answer) {
      if (answer instanceof SubmissionResult.Done) {
        request++;
        isWaiting = false;
      } else if (answer instanceof SubmissionResult.Stale stale) {
        request = stale.lastRequest() + 1;
        isWaiting = false;
      }
      submitNext();
    }
  }

  static @Nullable Long replayed() {
    return Long.getLong("sim.seed");
  }
}
