package io.kairos.hashgraph;

import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.cron.LogCommand;
import io.kairos.engine.cron.TicksGenerator;
import io.kairos.engine.replica.ClientId;
import io.kairos.engine.replica.OrderedExecution;
import io.kairos.engine.replica.RequestOrigin;
import io.kairos.engine.replica.SubmissionResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Runs one seed: a cluster with up to f liars through some virtual seconds of faults, after which
 * those who tell the truth must come to one end. The same seed gives the same history. The replicas
 * run a machine that is a hash over its requests, or the production cron with ticks.
 */
final class HashgraphSimulation {
  static final String CLUSTER = "simulated";
  private static final long MILLIS = 1_000_000;
  private static final long SECONDS = 1_000 * MILLIS;
  private static final long HEAL_AT = 3 * SECONDS;
  private static final long LOAD_UNTIL = 4 * SECONDS;

  /** Agreed time moves a few times a second. */
  private static final long CRON_LOAD_UNTIL = 10 * SECONDS;

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
  private final boolean isCron;
  private final long loadUntil;
  private final List<Honest> honest = new ArrayList<>();
  private final List<Liar> liars = new ArrayList<>();

  /** The result of a seed. */
  record Outcome(
      long seed,
      String scenario,
      Optional<Throwable> broken,
      Map<RareState, Integer> reached,
      long decidedAfterLie,
      boolean hasLiars,
      boolean isLarge,
      long history,
      long actions,
      long evaluations) {
    String report() {
      return "seed %d, %s: %s%nreplay with -Dsim.seed=%d"
          .formatted(
              seed, scenario, broken.map(Throwable::toString).orElse("nothing broken"), seed);
    }
  }

  /**
   * The part of a run that its seed does not decide.
   *
   * @param isCron whether the replicas run cron
   * @param lies of every liar; none for lies that are drawn
   * @param liars how many; negative for a number that is drawn
   */
  record Given(boolean isCron, Set<Lie> lies, int liars) {
    static final Given HASHES = new Given(false, Set.of(), -1);
    static final Given CRON = new Given(true, Set.of(), -1);

    /** Cron, with as many liars as may be, all of whom lie in this way. */
    static Given cronWith(Lie lie, int liars) {
      return new Given(true, Set.of(lie), liars);
    }
  }

  private HashgraphSimulation(long seed, Given given) {
    this.isCron = given.isCron();
    this.loadUntil = isCron ? CRON_LOAD_UNTIL : LOAD_UNTIL;
    this.random = new SplittableRandom(seed);
    int kind = random.nextInt(100);
    int size = kind < 88 ? 4 : kind < 95 ? 7 : 10;
    this.cluster = new ReplicaGroup(size, ReplicaGroup.Faults.BYZANTINE);
    this.network = new SimulatedNetwork(size, timeline, random.split());
    boolean isReal = random.nextInt(100) == 0;
    this.keys = isReal ? SimulatedKeys.ed25519(size, seed) : SimulatedKeys.cheap(size, seed);
    if (isReal) {
      judge.reached(RareState.REAL_SIGNATURES);
    }
    if (size > 4) {
      judge.reached(RareState.SEVEN_OR_TEN);
    }
    int drawn = random.nextInt(8) == 0 ? 0 : 1 + random.nextInt(cluster.mayFail());
    int lying = given.liars() < 0 ? drawn : given.liars();
    int first = random.nextInt(size);
    for (ReplicaId id : cluster.replicas()) {
      if (Math.floorMod(id.number() - first, size) < lying) {
        Set<Lie> lies = draw(given);
        liars.add(new Liar(id, lies, this, random.split()));
      } else {
        honest.add(new Honest(id));
      }
    }
  }

  private Set<Lie> draw(Given given) {
    Set<Lie> lies = given.lies().isEmpty() ? Liar.draw(random) : EnumSet.copyOf(given.lies());
    if (given.lies().isEmpty() && isCron && random.nextBoolean()) {
      lies.add(Lie.FLOODS_TICKS);
    }
    return lies;
  }

  /** True as long as clients have requests. */
  boolean isUnderLoad() {
    return timeline.nowNanos() < loadUntil;
  }

  /** Starts a replica of a liar, which runs what all run. */
  Optional<SimulatedCron> open(SimulatedReplica liar) {
    if (!isCron) {
      liar.open(new SimulatedMachine(false), EXECUTION, HashgraphLog.Watcher.NOBODY);
      return Optional.empty();
    }
    SimulatedCron cron = new SimulatedCron(cluster, SimulatedCron.Watcher.NOBODY);
    liar.open(cron, EXECUTION, HashgraphLog.Watcher.NOBODY);
    cron.drive(liar, timeline);
    return Optional.of(cron);
  }

  HashgraphConfig config(ReplicaId id) {
    return new HashgraphConfig(
        id, cluster, CLUSTER, SimulatedReplica.PACE, SimulatedReplica.BOUNDS);
  }

  /** Errors that are made on purpose, in replicas that should tell the truth. */
  enum Mutant {
    NONE,
    FORCES_NOTHING,
    EXECUTES_OTHERWISE,
    FORGETS_FORKERS,
    NEVER_ASKS,
    SPEAKS_FOR_ANOTHER
  }

  static Outcome run(long seed) {
    return run(seed, Mutant.NONE);
  }

  static Outcome run(long seed, Mutant mutant) {
    return run(seed, Given.HASHES, mutant);
  }

  static Outcome run(long seed, Given given) {
    return run(seed, given, Mutant.NONE);
  }

  private static Outcome run(long seed, Given given, Mutant mutant) {
    HashgraphSimulation world = new HashgraphSimulation(seed, given);
    Honest first = world.honest.getFirst();
    world.honest.forEach(each -> {
      each.replica.journal.forcesNothing = mutant == Mutant.FORCES_NOTHING;
      each.replica.journal.forgetsForkers = mutant == Mutant.FORGETS_FORKERS;
      each.neverAsks = mutant == Mutant.NEVER_ASKS;
    });
    first.executesOtherwise = mutant == Mutant.EXECUTES_OTHERWISE;
    first.speaksFor = mutant == Mutant.SPEAKS_FOR_ANOTHER ? world.honest.getLast().id : null;
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
        world.timeline.count(),
        world.judge.evaluations());
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
    timeline.runUntil(loadUntil);
    long end = loadUntil + MOST_AFTER;
    while (needsLoad() && timeline.nowNanos() < end) {
      timeline.runUntil(timeline.nowNanos() + 100 * MILLIS);
    }
    honest.forEach(each -> each.isSubmitting = false);
    if (isCron) {
      tickOn(end);
    }
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
    HashgraphJudge.check(
        liars.isEmpty() || judge.decidedAfterLie() >= ENOUGH_DECIDED,
        "enough is decided after the first lie",
        () ->
            "%d events, has lied: %s; %s"
                .formatted(judge.decidedAfterLie(), judge.hasLied(), honest.getFirst().describe()));
  }

  /** Lets agreed time go on past the last disturbance on every replica, and ends the ticks. */
  private void tickOn(long end) {
    Instant past = SimulatedReplica.START.plusNanos(loadUntil);
    while (timeline.nowNanos() < end
        && !honest.stream().allMatch(each -> judge.hasTickedAt(each.id, past))) {
      timeline.runUntil(timeline.nowNanos() + 100 * MILLIS);
    }
    for (Honest each : honest) {
      HashgraphJudge.check(
          judge.hasTickedAt(each.id, past), "ticks go on", () -> each.id + " evaluates no ticks");
      each.stopTicks();
    }
  }

  /**
   * Some liars begin late, and one who has lost its memory speaks again after rounds that only
   * requests bring.
   */
  private boolean needsLoad() {
    return (!liars.isEmpty() && judge.decidedAfterLie() < ENOUGH_DECIDED)
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
            judge.reached(RareState.ALL_CRASHED);
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
            judge.reached(RareState.PARTITION);
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
    private JudgedMachine machine = new SimulatedMachine(false);
    private @Nullable TicksGenerator ticks;
    private boolean executesOtherwise;
    private boolean neverAsks;
    private @Nullable ReplicaId speaksFor;
    private boolean isSubmitting = true;
    private boolean isWaiting;
    private boolean hasMemory = true;
    private List<ReplicaId> forkers = List.of();

    /** The first undecided one when it crashed last. */
    private long round = 1;

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
                if (!neverAsks || !isQuestion(message, config)) {
                  network.send(id, to, message);
                }
              });
      replica.clockOff = Duration.ofMillis(random.nextLong(-2_000, 2_000));
      judge.clock(id, replica.clockOff);
      network.listen(id, replica::receive);
    }

    private static boolean isQuestion(byte[] message, HashgraphConfig config) {
      return PeerMessage.decode(message, config.bounds())
          .filter(PeerMessage.Sync.class::isInstance)
          .isPresent();
    }

    HashgraphLog running() {
      return Objects.requireNonNull(replica.log());
    }

    void open(boolean withMemory) {
      if (replica.isUp()) {
        return;
      }
      if (!hasMemory) {
        judge.reached(RareState.WIPED_CAME_BACK);
      } else if (withMemory && timeline.nowNanos() > 0) {
        judge.reached(
            replica.journal.head().isPresent()
                ? RareState.RESTART_FROM_SNAPSHOT
                : RareState.RESTART_FROM_BEGINNING);
      }
      JudgedMachine opened =
          isCron
              ? new SimulatedCron(
                  cluster, (from, reading, tick) -> judge.ticked(id, from, reading, tick))
              : new SimulatedMachine(executesOtherwise);
      machine = opened;
      replica.open(
          opened,
          EXECUTION,
          new HashgraphLog.Watcher() {
            private final Map<ReplicaId, Integer> ticksOfRound = new TreeMap<>();
            private long executions;

            @Override
            public void executed(RequestOrigin origin, SubmissionResult result, Instant agreed) {
              if (origin.client().isOfTicks()) {
                ReplicaId from = Objects.requireNonNull(origin.replica());
                judge.tickOfRound(from, ticksOfRound.merge(from, 1, Integer::sum));
              }
              boolean isNew = opened.executions() > executions;
              executions = opened.executions();
              if (isNew && result instanceof SubmissionResult.Done done) {
                judge.executed(id, origin, done, opened.state(), agreed);
              }
            }

            @Override
            public void skipped(ReplicaId creator) {
              judge.skipped(creator);
            }

            @Override
            public void round(long round, int events) {
              ticksOfRound.clear();
              judge.round(id, round, events);
            }
          });
      long now = running().core().round();
      HashgraphJudge.check(
          now <= round,
          "a restart decides no round anew",
          () -> "%s was in round %d before its restart, and now in %d".formatted(id, round, now));
      List<ReplicaId> known = running().core().forkers();
      HashgraphJudge.check(
          known.containsAll(forkers),
          "forkers are remembered",
          () -> "%s knew %s before its restart, and now %s".formatted(id, forkers, known));
      if (replica.journal.head().filter(head -> !head.forkers().isEmpty()).isPresent()) {
        judge.reached(RareState.FORKER_REMEMBERED);
      }
      hasMemory = true;
      if (opened instanceof SimulatedCron cron) {
        ticks = cron.drive(replica, timeline);
      }
    }

    void stopTicks() {
      Objects.requireNonNull(ticks).stop(SimulatedCron.TABLE);
    }

    void crash(boolean wipes) {
      count();
      if (replica.isUp()) {
        judge.reached(RareState.HONEST_CRASH);
        forkers = running().core().forkers();
        round = running().core().round();
      }
      if (replica.crash() > 0) {
        judge.reached(RareState.TAIL_LOST);
      }
      if (wipes) {
        replica.journal.wipe();
        judge.wiped(id);
        forkers = List.of();
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
      if (speaksFor != null) {
        byte[] forged = RequestEnvelope.encode(ClientId.ofVotes(speaksFor), request, new byte[1]);
        log.core().submit(forged, () -> {});
      }
      log.submit(
          new ClientId(id.number()),
          request,
          command(random.nextInt(200)),
          answer -> timeline.after(random.nextLong(1, 40) * MILLIS, () -> answered(answer)));
    }

    private byte[] command(int bytes) {
      return isCron ? new LogCommand.Request(new byte[bytes]).encode() : new byte[bytes];
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
