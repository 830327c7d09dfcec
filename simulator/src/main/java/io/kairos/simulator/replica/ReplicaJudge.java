package io.kairos.simulator.replica;

import static io.kairos.simulator.kernel.RareState.EFFECT_ASKED_FOR_BY_SEVERAL;
import static io.kairos.simulator.kernel.RareState.ROUND_BEGUN_OUT_OF_TURN;
import static io.kairos.simulator.kernel.RareState.SAME_REQUEST_ORDERED_TWICE;
import static io.kairos.simulator.kernel.RareState.SNAPSHOT_TO_A_RUNNING_REPLICA;
import static io.kairos.simulator.kernel.RareState.TICK_OF_A_PAST_ROUND;
import static io.kairos.simulator.kernel.RareState.TIME_STOOD_STILL;
import static io.kairos.simulator.replica.ReplicaApplication.FAST;

import io.kairos.domain.cron.AgreedTime;
import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.cron.CronEntry;
import io.kairos.domain.cron.CronListener;
import io.kairos.domain.cron.EntryCallback;
import io.kairos.domain.cron.Tick;
import io.kairos.domain.cron.TickEvaluation;
import io.kairos.domain.cron.outbox.Effect;
import io.kairos.domain.cron.outbox.Effect.Asking;
import io.kairos.domain.cron.outbox.EffectId;
import io.kairos.domain.cron.outbox.EffectOutbox;
import io.kairos.domain.cron.round.TickRotation;
import io.kairos.domain.cron.round.TickVerdict;
import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaGroup.Faults;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.cron.TickListener;
import io.kairos.engine.replica.ClientId;
import io.kairos.engine.replica.PendingState;
import io.kairos.engine.replica.ReplicasDivergedException;
import io.kairos.engine.replica.SubmissionResult;
import io.kairos.simulator.kernel.RareState;
import io.kairos.simulator.kernel.RuleViolation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Judges the history of a simulated cluster by the rules. It sees every execution on every replica,
 * and knows nothing of the implementation.
 */
final class ReplicaJudge implements ReplicaLogObserver {
  static final String SAME_STATE = "R1 same log prefix, same state";
  static final String ONCE = "R2 a request is executed once, and its client is told";
  static final String TIME = "R3 agreed time rises and is never ahead of every correct clock";
  static final String KEEPS_UP = "R4 undisturbed, agreed time lags by two periods at most";
  static final String ONE_PENDING = "R5 one tick of a component is pending on a replica";
  static final String ONE_COUNTS = "R6 of a replica, one tick a round counts";
  static final String TURNS = "R7 undisturbed, a round has one tick more than may fail";
  static final String PACE = "R8 rounds keep their pace, whoever floods";
  static final String RUNS = "R9 periodic actions run at their times";
  static final String ENDS = "R10 after the last fault everything comes to an end";
  static final String LIMITED = "R11 an entry that may run n times runs n times";
  static final String COMPARED = "R12 replicas compare their states, and equal ones do not stop";
  static final String EFFECTS = "R13 exactly the effects that actions decide are requested";
  static final String IN_TURN =
      "R14 an effect in turn is requested only when enough replicas want it, and by few while nothing is disturbed";

  private static final long LATENCY_MILLIS = 300;

  /** A replica this far behind does not know which effects it may ask for. */
  private static final Duration PAST = Duration.ofSeconds(35);

  private final ReplicaGroup cluster;
  private final TickRotation rotation;
  private final ReplicaTimeline timeline;
  private final Map<ReplicaLog, Seen> lives = new HashMap<>();
  private final Map<Long, Long> traces = new HashMap<>();
  private final Map<Long, byte[]> digests = new HashMap<>();
  private final Map<Round, Set<ReplicaId>> counted = new HashMap<>();
  private final Map<Round, Integer> ticksOf = new HashMap<>();
  private final Map<Round, Long> beganAtNanos = new HashMap<>();
  private final TreeMap<EffectId, Decided> effects = new TreeMap<>();
  private final EnumMap<RareState, Integer> rareStates = new EnumMap<>(RareState.class);
  private long executedFirst;
  private long lastAgreedMillis = Long.MIN_VALUE;
  private long history = 0xcbf29ce484222325L;
  private boolean isCalm;

  /** A round of a component. */
  private record Round(ComponentId component, long number) {}

  /** An effect, from the tick at which its action ran to the end. */
  private static final class Decided {
    private final boolean isCalm;
    private final List<ReplicaId> askers = new ArrayList<>();
    private @Nullable Effect effect;

    Decided(boolean isCalm) {
      this.isCalm = isCalm;
    }
  }

  /** Reports of one life of a replica on the tick that it executes. */
  static final class Seen implements TickListener, CronListener {
    private @Nullable Judged judged;
    private @Nullable Tick evaluated;
    private final Set<Integer> decided = new TreeSet<>();
    private final Map<ClientId, Long> queued = new HashMap<>();

    private record Judged(ComponentId component, ReplicaId from, long round, TickVerdict verdict) {}

    @Override
    public void judged(ComponentId component, ReplicaId from, long round, TickVerdict verdict) {
      judged = new Judged(component, from, round, verdict);
    }

    @Override
    public void evaluated(Tick tick, TickEvaluation evaluation) {
      evaluated = tick;
    }

    @Override
    public void began(ComponentId component, CronEntry entry) {
      if (ReplicaApplication.decidesAnEffect(entry.position())) {
        decided.add(entry.position());
      }
    }

    @Override
    public void failed(
        ComponentId component, int position, EntryCallback callback, Throwable thrown) {
      decided.remove(position);
    }
  }

  ReplicaJudge(ReplicaGroup cluster, ReplicaTimeline timeline) {
    this.cluster = cluster;
    this.rotation = new TickRotation(cluster);
    this.timeline = timeline;
  }

  void watch(ReplicaLog log, Seen seen) {
    lives.put(log, seen);
  }

  /** Tells the judge that nothing disturbs the replicas any more. */
  void calm() {
    isCalm = true;
  }

  Map<RareState, Integer> rareStates() {
    return rareStates;
  }

  @Override
  public void reached(RareState state) {
    rareStates.merge(state, 1, Integer::sum);
  }

  private void reached(RareState state, boolean isReached) {
    if (isReached) {
      reached(state);
    }
  }

  /** Equal for equal histories. */
  long history() {
    return history;
  }

  static void check(boolean holds, String rule, Supplier<String> otherwise) {
    if (!holds) {
      throw new RuleViolation(rule, otherwise.get());
    }
  }

  @Override
  public void queued(ReplicaLog log, ClientId client, long request) {
    Seen seen = lives.get(log);
    if (client.isReserved() && seen != null) {
      Long last = seen.queued.put(client, request);
      PendingState pending =
          last == null || last == request ? PendingState.NONE : log.pending(client, last);
      check(
          pending == PendingState.NONE || pending == PendingState.EXECUTED,
          ONE_PENDING,
          () ->
              "%s submits %d of %s while %d is %s"
                  .formatted(log.self(), request, client, last, pending));
    }
  }

  @Override
  public void installed(ReplicaLog log) {
    reached(SNAPSHOT_TO_A_RUNNING_REPLICA);
  }

  @Override
  public void stopped(ReplicaLog log, ReplicasDivergedException diverged) {
    throw new RuleViolation(COMPARED, log.self() + " stops: " + diverged.getMessage());
  }

  @Override
  public void executed(ReplicaLog log, long index, SubmissionResult result, boolean isNew) {
    Seen seen = lives.getOrDefault(log, new Seen());
    Seen.Judged judged = seen.judged;
    Tick evaluated = seen.evaluated;
    List<Integer> decided = List.copyOf(seen.decided);
    seen.judged = null;
    seen.evaluated = null;
    seen.decided.clear();
    if (!isNew) {
      reached(SAME_REQUEST_ORDERED_TWICE);
      return;
    }
    if (!(result instanceof SubmissionResult.Done done)) {
      throw new RuleViolation(ONCE, "executed, and " + result);
    }
    long sequence = done.sequence();
    long trace = trace(index, done, judged, evaluated);
    Long before = traces.putIfAbsent(sequence, trace);
    check(
        before == null || before == trace,
        SAME_STATE,
        () -> "%s does something else at %d: %s".formatted(log.self(), sequence, evaluated));
    log.digestAt(sequence).ifPresent(digest -> compare(log, sequence, digest));
    if (sequence > executedFirst) {
      check(sequence == executedFirst + 1, SAME_STATE, () -> "a gap before " + sequence);
      executedFirst = sequence;
      history = (history ^ trace) * 0x100000001b3L + timeline.nowNanos();
      if (judged != null) {
        judgeTick(judged, evaluated);
      }
      if (evaluated != null) {
        for (int position : decided) {
          effects.put(new EffectId(evaluated.component(), position, sequence), new Decided(isCalm));
        }
      }
    }
  }

  private static long trace(
      long index,
      SubmissionResult.Done done,
      Seen.@Nullable Judged judged,
      @Nullable Tick evaluated) {
    long trace = index * 31 + Arrays.hashCode(done.reply());
    if (judged != null) {
      trace = trace * 31 + judged.verdict().name().hashCode();
      trace = trace * 31 + judged.round();
    }
    if (evaluated != null && evaluated.time() instanceof AgreedTime.At at) {
      trace = trace * 31 + at.epochMillis();
    }
    return trace;
  }

  private void compare(ReplicaLog log, long sequence, byte[] digest) {
    byte[] before = digests.putIfAbsent(sequence, digest);
    check(
        before == null || Arrays.equals(before, digest),
        SAME_STATE,
        () -> log.self() + " has another state at " + sequence);
  }

  private void judgeTick(Seen.Judged judged, @Nullable Tick evaluated) {
    Round round = new Round(judged.component(), judged.round());
    ticksOf.merge(round, 1, Integer::sum);
    switch (judged.verdict()) {
      case BEGINS -> begins(round, judged.from());
      case LATE -> reached(TICK_OF_A_PAST_ROUND);
      case JOINS, ASKS, EXCESS, EARLY -> {}
    }
    if (judged.verdict().evaluates()) {
      check(
          counted.computeIfAbsent(round, _ -> new HashSet<>()).add(judged.from()),
          ONE_COUNTS,
          () -> judged.from() + " ticks twice in " + round);
    }
    if (evaluated != null) {
      judgeTime(evaluated);
    }
  }

  private void begins(Round round, ReplicaId from) {
    long now = timeline.nowNanos();
    beganAtNanos.put(round, now);
    Long before = beganAtNanos.get(new Round(round.component(), round.number() - 1));
    long period = periodNanos(round.component());
    check(
        before == null || now - before >= period,
        PACE,
        () ->
            "%s begins %s ms after the last"
                .formatted(round, (before == null ? 0 : now - before) / 1_000_000));
    reached(ROUND_BEGUN_OUT_OF_TURN, !rotation.isInTurn(from, round.number()));
  }

  private static long periodNanos(ComponentId component) {
    return ReplicaLife.PERIODS.getOrDefault(component, Duration.ZERO).toNanos();
  }

  private void judgeTime(Tick tick) {
    if (!(tick.time() instanceof AgreedTime.At at)) {
      check(lastAgreedMillis == Long.MIN_VALUE, TIME, () -> "time was known and is not at " + tick);
      return;
    }
    long millis = at.epochMillis();
    long now = ReplicaClock.trueMillis(timeline);
    check(millis > lastAgreedMillis, TIME, () -> "not after " + lastAgreedMillis + ": " + tick);
    check(
        millis <= now + ReplicaClock.SKEW_MILLIS,
        TIME,
        () -> (millis - now) + " ms ahead of the true time: " + tick);
    reached(TIME_STOOD_STILL, millis == lastAgreedMillis + 1);
    lastAgreedMillis = millis;
    long allowed = 2 * periodNanos(FAST) / 1_000_000 + ReplicaClock.SKEW_MILLIS + LATENCY_MILLIS;
    check(
        !isCalm || now - millis <= allowed,
        KEEPS_UP,
        () -> (now - millis) + " ms behind the true time: " + tick);
  }

  @Override
  public void asked(Effect effect, ReplicaId asker, EffectOutbox outbox, Duration behind) {
    Decided decided = effects.get(effect.id());
    if (decided == null) {
      throw new RuleViolation(
          EFFECTS, asker + " asks for " + effect.id() + ", which no action has decided");
    }
    Effect before = decided.effect;
    check(
        before == null
            || (before.asking() == effect.asking() && Arrays.equals(before.body(), effect.body())),
        EFFECTS,
        () -> asker + " asks for something else as " + effect.id());
    check(
        effect.asking() == Asking.IN_TURN || behind.compareTo(PAST) < 0,
        EFFECTS,
        () -> asker + " asks for " + effect.id() + " of " + behind.toSeconds() + " s ago");
    check(
        effect.asking() == Asking.EACH
            || outbox.waiting().stream()
                .filter(waiting -> waiting.id().equals(effect.id()))
                .anyMatch(waiting -> Long.bitCount(waiting.wantedBy()) > cluster.mayFail()),
        IN_TURN,
        () -> asker + " asks for " + effect.id() + ", which too few want");
    decided.effect = effect;
    decided.askers.add(asker);
    reached(EFFECT_ASKED_FOR_BY_SEVERAL, !decided.askers.getFirst().equals(asker));
  }

  /** Checks that the outside has done every decided effect at the end. */
  void judgeEffects(EffectTarget outside) {
    effects.forEach((id, decided) -> {
      check(outside.hasDone(id), EFFECTS, () -> "the outside has not done " + id);
      boolean isUndisturbed =
          decided.isCalm && decided.effect != null && decided.effect.asking() == Asking.IN_TURN;
      int enough = cluster.faults() == Faults.CRASH ? 1 : cluster.mayFail() + 1;
      check(
          !isUndisturbed || decided.askers.size() == enough,
          IN_TURN,
          () -> id + " was asked for by " + decided.askers);
    });
  }

  /** Counts the ticks of the rounds that began between the two moments. */
  RoundTicks ticks(long fromNanos, long toNanos) {
    return RoundTicks.of(
        beganAtNanos.entrySet().stream()
            .filter(began -> began.getValue() >= fromNanos && began.getValue() <= toNanos)
            .map(began -> ticksOf.getOrDefault(began.getKey(), 0))
            .toList());
  }

  /** Each round that began between the two moments had as many ticks as it should. */
  void judgeTurns(long fromNanos, long toNanos) {
    int rounds = 0;
    for (Map.Entry<Round, Long> began : beganAtNanos.entrySet()) {
      if (began.getValue() >= fromNanos && began.getValue() <= toNanos) {
        rounds++;
        int ticks = ticksOf.getOrDefault(began.getKey(), 0);
        check(
            ticks == cluster.mayFail() + 1,
            TURNS,
            () -> began.getKey() + " has " + ticks + " ticks of " + cluster);
      }
    }
    long room = 0;
    for (ComponentId component : ReplicaLife.PERIODS.keySet()) {
      room += (toNanos - fromNanos) / periodNanos(component);
    }
    String found = rounds + " rounds where " + room + " have room";
    check(rounds >= room * 9 / 10, TURNS, () -> found);
  }
}
