package io.kairos.engine.cron;

import io.kairos.domain.cron.outbox.Effect;
import io.kairos.domain.cron.outbox.EffectId;
import io.kairos.domain.cron.outbox.EffectOutbox;
import io.kairos.domain.cron.outbox.PendingEffect;
import io.kairos.engine.loop.Step;
import io.kairos.engine.replica.ClientId;
import io.kairos.engine.replica.OwnRequests;
import io.kairos.engine.replica.PostedStep;
import io.kairos.engine.replica.ReplicatedLog;
import io.kairos.engine.replica.SubmissionResult;
import io.kairos.engine.time.MonotonicClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * Requests the effects that wait in the outbox from the outside. Every replica runs a sender. The
 * sender first reports in the log that it wants an effect, requests the effect when that report was
 * executed here soon enough, and reports in the log when the effect is done. A replica that lags
 * behind therefore requests no effect that was done long ago: it has executed the report of its end
 * by then. The outbox keeps what a crash makes a sender forget. Used by the log's thread only;
 * bounded by the outbox.
 */
public final class EffectSender {
  private static final Duration EVERY = Duration.ofMillis(200);

  /** A report that is executed later than this may come from a replica that lags behind. */
  private static final long SOON_NANOS = Duration.ofSeconds(20).toNanos();

  /** Wait before an effect that was not done is requested again. */
  private static final long AGAIN_NANOS = Duration.ofSeconds(5).toNanos();

  /** Wait after which the next replica requests an effect that goes by turns, too. */
  private static final long TURN_NANOS = Duration.ofSeconds(10).toNanos();

  private static final int MOST_ASKED_AT_A_TIME = 100;
  private static final int MOST_IN_A_REQUEST = 200;

  private final ReplicatedLog log;
  private final EffectOutbox outbox;
  private final EffectSink sink;
  private final MonotonicClock monotonic;
  private final OwnRequests requests;
  private final TreeMap<EffectId, Course> courses = new TreeMap<>();

  /** Number of requests under way by kind, so that pushes that hang do not delay tasks. */
  private final Map<Effect.Asking, Integer> asked = new EnumMap<>(Effect.Asking.class);

  /** Progress of an effect since this replica started. */
  private static final class Course {
    private boolean isWanted;
    private boolean hasTurn;
    private long dueNanos;
    private boolean isAsked;
    private boolean isDone;
  }

  /**
   * Creates a sender that does nothing before {@link #look}.
   *
   * @param outbox of the machine that the log drives
   */
  public EffectSender(
      ReplicatedLog log,
      EffectOutbox outbox,
      EffectSink sink,
      MonotonicClock monotonic,
      RandomGenerator random) {
    this.log = log;
    this.outbox = outbox;
    this.sink = sink;
    this.monotonic = monotonic;
    this.requests = new OwnRequests(log, ClientId.ofEffects(log.self()), random);
  }

  /** The step to run for as long as the log is open. */
  public Step step() {
    return new PostedStep("effects", log, EVERY, this::look);
  }

  /** Requests due effects and reports progress in the log. */
  public void look() {
    List<PendingEffect> waiting = outbox.waiting();
    if (waiting.isEmpty()) { // nearly always
      courses.clear();
      return;
    }
    Set<EffectId> ids = waiting.stream().map(PendingEffect::id).collect(Collectors.toSet());
    courses.keySet().retainAll(ids);
    List<EffectId> wanted = new ArrayList<>();
    List<EffectId> done = new ArrayList<>();
    List<PendingEffect> due = new ArrayList<>();
    for (PendingEffect each : waiting) {
      if (each.isDoneBy(log.self())) {
        continue; // others have to say so as well
      }
      Course course = course(each);
      if (!course.isWanted) {
        wanted.add(each.id());
      } else if (course.isDone) {
        done.add(each.id());
      } else if (each.mayBeAskedFor(log.cluster()) && isDue(each, course)) {
        due.add(each);
      }
    }
    askLongestDueFirst(due);
    say(wanted, done);
  }

  private boolean isDue(PendingEffect waiting, Course course) {
    long now = monotonic.nanos();
    if (!course.hasTurn) {
      course.hasTurn = true;
      course.dueNanos = now + turnNanos(waiting);
    }
    return !course.isAsked && now - course.dueNanos >= 0;
  }

  /** The order lets no effect that is requested again and again delay the others. */
  private void askLongestDueFirst(List<PendingEffect> due) {
    long now = monotonic.nanos();
    due.sort(Comparator.comparingLong(each -> course(each).dueNanos - now));
    for (PendingEffect each : due) {
      Effect effect = each.effect();
      if (asked.getOrDefault(effect.asking(), 0) < MOST_ASKED_AT_A_TIME) {
        Course course = course(each);
        course.isAsked = true;
        asked.merge(effect.asking(), 1, Integer::sum);
        sink.ask(effect, answer -> log.post(() -> answered(effect, course, answer)));
      }
    }
  }

  private Course course(PendingEffect waiting) {
    return courses.computeIfAbsent(waiting.id(), _ -> new Course());
  }

  private long turnNanos(PendingEffect waiting) {
    int before = Math.floorMod(log.self().number() - waiting.id().sequence(), log.cluster().size());
    return switch (waiting.effect().asking()) {
      case EACH -> 0;
      case IN_TURN -> before * TURN_NANOS;
    };
  }

  private void answered(Effect effect, Course course, EffectSink.Answer answer) {
    course.isAsked = false;
    asked.merge(effect.asking(), -1, Integer::sum);
    switch (answer) {
      case DONE -> course.isDone = true;
      case NOT_KNOWN -> course.dueNanos = monotonic.nanos() + AGAIN_NANOS;
    }
  }

  /** Submits one request at a time; the next one reports the rest. */
  private void say(List<EffectId> wanted, List<EffectId> done) {
    if (requests.isPending() || (wanted.isEmpty() && done.isEmpty())) {
      return;
    }
    LogCommand.Effects effects = new LogCommand.Effects(some(wanted), some(done));
    long now = monotonic.nanos();
    requests.submit(effects.encode(), answer -> said(effects.wanted(), now, answer));
  }

  private static List<EffectId> some(List<EffectId> ids) {
    return List.copyOf(ids.subList(0, Math.min(ids.size(), MOST_IN_A_REQUEST)));
  }

  /** A report that was not executed, or executed late, is repeated. */
  private void said(List<EffectId> wanted, long saidAtNanos, SubmissionResult answer) {
    if (answer instanceof SubmissionResult.Done && monotonic.nanos() - saidAtNanos <= SOON_NANOS) {
      for (EffectId id : wanted) {
        Course course = courses.get(id);
        if (course != null) {
          course.isWanted = true;
        }
      }
    }
  }
}
