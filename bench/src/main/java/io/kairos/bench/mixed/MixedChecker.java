package io.kairos.bench.mixed;

import io.kairos.bench.mixed.MixedEvent.Kind;
import io.kairos.bench.observe.ArrivalLedger;
import io.kairos.bench.report.FigureList;
import io.kairos.bench.report.FigureList.FigureColumns;
import io.kairos.bench.report.FigureList.Unit;
import io.kairos.bench.report.RunVerdict;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Judges histories, event by event, part by part. What is promised and does not happen is lost;
 * what nobody asked for, what comes too early, under a second id, out of its key's order, or beside
 * an execution that is not over breaks a rule as well. Repeats are counted. Not thread-safe.
 */
final class MixedChecker {
  private static final int MOST_NAMED = 5;
  private static final long EARLY_MICROS = ArrivalLedger.EARLY.toNanos() / 1_000;

  /** The shipped lease of 4.5 s ends so long after its last heartbeat, which is a second old. */
  private static final long LEAST_LEASE_MICROS = 3_000_000;

  /** What a stopped worker performed ends so soon after it was woken. */
  private static final long AFTER_WAKING_MICROS = 1_000_000;

  /** A process that has ended had performed nothing for so long when its end is seen. */
  private static final long ENDING_MICROS = 1_000_000;

  /** What must not happen. */
  enum Rule {
    LOST,
    EARLY,
    /** One submission, or one fire time, became two tasks or messages. */
    TWICE,
    OVERLAPPING,
    DISORDERED,
    /** Nobody asked for it, or it was refused. */
    STRAY,
    PROBLEM,
    INCOMPLETE
  }

  private final Map<Rule, Long> broken = new EnumMap<>(Rule.class);
  private final Map<Rule, List<String>> named = new EnumMap<>(Rule.class);
  private final Map<String, Door> doors = new TreeMap<>();
  private final Map<String, FaultFigures> faultFigures = new TreeMap<>();
  private OptionalLong seed = OptionalLong.empty();
  private int parts;
  private long ended;
  private Part part = new Part();

  /** A part; ids mean something in it alone. */
  private static final class Part {
    final Map<String, Submission> submissions = new HashMap<>();
    final Map<String, Submission> pending = new HashMap<>();
    final Map<String, List<Running>> running = new HashMap<>();
    final Map<String, Long> latestOfKey = new HashMap<>();
    final Map<Long, Stop> stops = new HashMap<>();
    final Map<String, Long> lastCame = new HashMap<>();
    @Nullable FaultFigures fault;
    long overAt;
    boolean idle;
    boolean complete;
  }

  private static final class Submission {
    final MixedEvent asked;
    Kind state;
    final long number;
    @Nullable String execution;
    long came;

    Submission(MixedEvent asked, Kind state, long number) {
      this.asked = asked;
      this.state = state;
      this.number = number;
    }
  }

  private static final class Running {
    final MixedEvent began;
    boolean mustEnd;

    /** The first one that began beside it; whether the worker had ended by then shows later. */
    @Nullable MixedEvent beside;

    Running(MixedEvent began) {
      this.began = began;
    }
  }

  /** A time in which a worker may have lost its leases without knowing it. */
  private record Stop(long from, long until) {}

  private static final class Door {
    final Map<Kind, Long> counts = new EnumMap<>(Kind.class);
    long came;
    long repeats;
    long latestMicros;

    void count(Kind kind) {
      counts.merge(kind, 1L, Long::sum);
    }

    long counted(Kind kind) {
      return counts.getOrDefault(kind, 0L);
    }
  }

  private static final class FaultFigures {
    long count;
    long skipped;
    long pauseMicros;
    long recoveryMicros;
  }

  /** The next event of the part. */
  void saw(MixedEvent event) {
    switch (event.kind()) {
      case PART -> seed = OptionalLong.of(Long.parseLong(event.id()));
      case PLANNED, INVOKED -> asked(event);
      case ACKNOWLEDGED, REFUSED, UNCERTAIN -> answered(event);
      case ARRIVED -> {
        if (appeared(event) != null) {
          came(event);
        }
      }
      case BEGAN -> began(event);
      case ENDED, BROKEN_OFF -> over(event);
      case FAULT -> {
        part.fault = ofFault(event.id());
        part.fault.count++;
        if (event.pid() != null) {
          part.stops.put(event.pid(), new Stop(event.at() + LEAST_LEASE_MICROS, Long.MAX_VALUE));
        }
      }
      case OVER -> {
        part.overAt = event.at();
        if (event.pid() != null) {
          part.stops.computeIfPresent(
              event.pid(), (_, stop) -> new Stop(stop.from, event.at() + AFTER_WAKING_MICROS));
        }
      }
      case SETTLED -> {
        if (part.fault != null && !part.idle) {
          part.fault.recoveryMicros = Math.max(part.fault.recoveryMicros, event.at() - part.overAt);
        }
      }
      case SKIPPED -> ofFault(event.id()).skipped++;
      case GONE -> gone(event);
      case PROBLEM -> broke(Rule.PROBLEM, event.id());
      case IDLE -> part.idle = true;
      case COMPLETE -> part.complete = true;
    }
  }

  private FaultFigures ofFault(String word) {
    return faultFigures.computeIfAbsent(word, _ -> new FaultFigures());
  }

  private Door door(String id) {
    return doors.computeIfAbsent(MixedEvent.door(id), _ -> new Door());
  }

  private void asked(MixedEvent event) {
    Submission submission = new Submission(event, event.kind(), part.submissions.size());
    part.submissions.put(event.id(), submission);
    door(event.id()).count(Kind.INVOKED);
    if (event.kind() == Kind.PLANNED) {
      submission.state = Kind.ACKNOWLEDGED;
      part.pending.put(event.id(), submission);
      door(event.id()).count(Kind.ACKNOWLEDGED);
    }
  }

  private void answered(MixedEvent event) {
    Submission submission = known(event);
    if (submission == null) {
      return;
    }
    submission.state = event.kind();
    door(event.id()).count(event.kind());
    if (event.kind() == Kind.ACKNOWLEDGED && submission.came == 0) {
      part.pending.put(event.id(), submission);
    }
  }

  private @Nullable Submission known(MixedEvent event) {
    Submission submission = part.submissions.get(event.id());
    if (submission == null) {
      broke(Rule.STRAY, event.id() + " was never asked for");
    }
    return submission;
  }

  /** The first sight of a message, a request or an execution. */
  private @Nullable Submission appeared(MixedEvent event) {
    Submission submission = known(event);
    if (submission == null) {
      return null;
    }
    Long due = submission.asked.due();
    if (due != null && event.at() < due - EARLY_MICROS) {
      broke(Rule.EARLY, "%s by %d µs".formatted(event.id(), due - event.at()));
    }
    if (submission.execution == null) {
      submission.execution = event.execution();
    } else if (!submission.execution.equals(event.execution())) {
      broke(
          Rule.TWICE,
          "%s as %s and %s".formatted(event.id(), submission.execution, event.execution()));
    }
    return submission;
  }

  private void came(MixedEvent event) {
    Submission submission = part.submissions.get(event.id());
    if (submission == null) {
      return;
    }
    Door door = door(event.id());
    submission.came++;
    part.pending.remove(event.id());
    if (submission.came > 1) {
      door.repeats++;
    } else {
      door.came++;
      Long due = submission.asked.due();
      door.latestMicros = Math.max(door.latestMicros, due == null ? 0 : event.at() - due);
    }
    String way = MixedEvent.door(event.id());
    Long before = part.lastCame.get(way);
    part.lastCame.merge(way, event.at(), Math::max);
    if (before != null && part.fault != null && !part.idle) {
      part.fault.pauseMicros = Math.max(part.fault.pauseMicros, event.at() - before);
    }
  }

  private void began(MixedEvent event) {
    Submission submission = appeared(event);
    if (submission == null) {
      return;
    }
    List<Running> others = lane(submission, event);
    for (Running other : others) {
      if (mayHaveLostLease(other.began.pid(), event.at())) {
        other.mustEnd = true;
      } else if (other.beside == null && !mayHaveLostLease(event.pid(), event.at())) {
        other.beside = event;
      }
    }
    others.add(new Running(event));
    String key = submission.asked.key();
    if (key != null) {
      long latest = Math.max(submission.number, part.latestOfKey.getOrDefault(key, 0L));
      part.latestOfKey.put(key, latest);
      if (submission.number < latest
          && submission.state == Kind.ACKNOWLEDGED
          && !mayHaveLostLease(event.pid(), event.at())) {
        broke(Rule.DISORDERED, event.id() + " after a later one of " + key);
      }
    }
  }

  /** What may not be performed at the same time: attempts of a task, tasks of a key. */
  private List<Running> lane(Submission submission, MixedEvent event) {
    String lane = submission.asked.key() == null ? event.id() : submission.asked.key();
    return part.running.computeIfAbsent(lane, _ -> new ArrayList<>());
  }

  private boolean mayHaveLostLease(@Nullable Long pid, long at) {
    Stop stop = part.stops.get(pid);
    return stop != null && at >= stop.from && at <= stop.until;
  }

  private void over(MixedEvent event) {
    Submission submission = known(event);
    if (submission == null) {
      return;
    }
    if (event.kind() == Kind.ENDED) {
      ended++;
      came(event);
    }
    List<Running> lane = lane(submission, event);
    for (Running one : List.copyOf(lane)) {
      if (Objects.equals(one.began.pid(), event.pid())
          && Objects.equals(one.began.fence(), event.fence())) {
        lane.remove(one);
        judge(one, event.at(), 0);
      }
    }
  }

  /** A process ends what it performs, also when it tells nobody. */
  private void gone(MixedEvent event) {
    for (List<Running> lane : part.running.values()) {
      for (Running one : List.copyOf(lane)) {
        if (Objects.equals(one.began.pid(), event.pid())) {
          lane.remove(one);
          judge(one, event.at(), ENDING_MICROS);
        }
      }
    }
  }

  /**
   * Judges an execution that is over.
   *
   * @param seenAfter so long after its end at most
   */
  private void judge(Running one, long at, long seenAfter) {
    MixedEvent beside = one.beside;
    if (beside != null && at - seenAfter >= beside.at()) {
      broke(
          Rule.OVERLAPPING,
          "%s in %d beside %s in %d"
              .formatted(beside.id(), beside.pid(), one.began.id(), one.began.pid()));
    }
    if (one.mustEnd && !mayHaveLostLease(one.began.pid(), at - seenAfter)) {
      broke(
          Rule.OVERLAPPING,
          "%s in %d went on after it was woken".formatted(one.began.id(), one.began.pid()));
    }
  }

  private void broke(Rule rule, String how) {
    broken.merge(rule, 1L, Long::sum);
    List<String> names = named.computeIfAbsent(rule, _ -> new ArrayList<>());
    if (names.size() < MOST_NAMED) {
      names.add(how);
    }
  }

  /** Number of accepted submissions that were due before a moment and have not come. */
  long overdue(long beforeMicros) {
    return part.pending.values().stream()
        .filter(one -> one.asked.due() != null && one.asked.due() < beforeMicros)
        .count();
  }

  /** Judges what the part has not done; the next event belongs to another part. */
  void endPart() {
    parts++;
    if (!part.complete) {
      broke(Rule.INCOMPLETE, "part " + parts);
    }
    part.running.values().stream()
        .flatMap(List::stream)
        .filter(one -> one.beside != null)
        .forEach(one -> judge(one, Long.MAX_VALUE, 0));
    part.pending.values().forEach(one -> broke(Rule.LOST, one.asked.id()));
    part.submissions.values().stream()
        .filter(one -> one.state == Kind.REFUSED && one.came > 0)
        .forEach(one -> broke(Rule.STRAY, one.asked.id() + " was refused"));
    part = new Part();
  }

  /** The seed that the histories name. */
  OptionalLong seed() {
    return seed;
  }

  /** How often a rule was broken. */
  long broken(Rule rule) {
    return broken.getOrDefault(rule, 0L);
  }

  void report(FigureList figures) {
    figures.fact("seed", seed.isPresent() ? seed.getAsLong() : "-").count("parts", "parts", parts);
    List<FigureColumns> ways = new ArrayList<>();
    doors.forEach((name, door) ->
        ways.add(
            new FigureColumns()
                .add("door", "door", Unit.TEXT, name)
                .add("asked", "asked", Unit.COUNT, door.counted(Kind.INVOKED))
                .add("accepted", "accepted", Unit.COUNT, door.counted(Kind.ACKNOWLEDGED))
                .add("refused", "refused", Unit.COUNT, door.counted(Kind.REFUSED))
                .add("uncertain", "uncertain", Unit.COUNT, door.counted(Kind.UNCERTAIN))
                .add("came", "came", Unit.COUNT, door.came)
                .add("repeats", "again", Unit.COUNT, door.repeats)
                .add("latestMillis", "latest", Unit.MILLIS, door.latestMicros / 1e3)));
    figures.lines("doors", ways);
    List<FigureColumns> faults = new ArrayList<>();
    faultFigures.forEach((name, kind) ->
        faults.add(
            new FigureColumns()
                .add("fault", "fault", Unit.TEXT, name)
                .add("count", "times", Unit.COUNT, kind.count)
                .add("skipped", "left out", Unit.COUNT, kind.skipped)
                .add("pauseMillis", "longest pause", Unit.MILLIS, kind.pauseMicros / 1e3)
                .add("recoveryMillis", "settled after", Unit.MILLIS, kind.recoveryMicros / 1e3)));
    figures.lines("faults", faults);
    figures
        .row("faults")
        .count(
            "faultCount",
            "in all",
            faultFigures.values().stream().mapToLong(kind -> kind.count).sum())
        .row("longest pause of a door")
        .add(
            "longestPauseMillis",
            "",
            Unit.MILLIS,
            faultFigures.values().stream().mapToLong(kind -> kind.pauseMicros).max().orElse(0)
                / 1e3)
        .row("executions")
        .count("executions", "", ended)
        .row("rules broken");
    for (Rule rule : Rule.values()) {
      String word = rule.name().toLowerCase(Locale.ROOT);
      figures.count(word, word, broken(rule));
    }
  }

  void judge(RunVerdict verdict) {
    for (Rule rule : Rule.values()) {
      verdict.demand(
          broken(rule) == 0,
          "%s: %d, for example %s"
              .formatted(
                  rule.name().toLowerCase(Locale.ROOT),
                  broken(rule),
                  named.getOrDefault(rule, List.of())));
    }
    verdict
        .demand(ended > 0, "nothing was performed")
        .demand(
            doors.values().stream().allMatch(door -> door.came > 0),
            "nothing came through one of the doors")
        .demand(
            faultFigures.values().stream().allMatch(kind -> kind.skipped == 0),
            "a kind of fault was left out, see the table of faults");
  }
}
