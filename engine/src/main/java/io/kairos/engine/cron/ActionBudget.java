package io.kairos.engine.cron;

import static io.kairos.domain.check.ArgumentCheck.require;
import static java.util.Objects.requireNonNull;

import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.cron.CronEntry;
import io.kairos.domain.cron.CronListener;
import io.kairos.domain.cron.EntryCallback;
import io.kairos.engine.loop.NextRound;
import io.kairos.engine.loop.Step;
import io.kairos.engine.time.MonotonicClock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects actions that exceed their time budget. The log's thread executes nothing else while an
 * action runs. Overruns are counted and named on the replica where they occurred, and logged at the
 * first, second, fourth… overrun of an entry. They are not part of the replicated state, because
 * another replica may be faster. Beyond {@value #MOST_ENTRIES} entries, overruns are only counted.
 * Used on the log's thread, except for {@link #count}, {@link #underWay} and {@link #step}.
 */
public final class ActionBudget implements CronListener {
  /** The default of the setting {@code replica.action-budget}. */
  static final Duration DEFAULT = Duration.ofMillis(100);

  static final int MOST_ENTRIES = 1_000;
  private static final Duration LOOKS_EVERY = Duration.ofSeconds(1);

  private static final Logger LOG = LoggerFactory.getLogger(ActionBudget.class);

  private final long budgetNanos;
  private final MonotonicClock monotonic;
  private final CronListener next;
  private final AtomicLong count = new AtomicLong();
  private final Map<RequestTrail.WriteSource.Entry, Long> overruns = new HashMap<>();

  /** The action that has begun and not ended. */
  private volatile @Nullable Run running;

  /** One run of an action. */
  private record Run(
      RequestTrail.WriteSource.Entry place, long beganNanos, AtomicBoolean isCounted) {}

  /**
   * Creates a listener that measures actions and passes every event on to {@code next}.
   *
   * @param budget of one run of an action
   */
  public ActionBudget(Duration budget, MonotonicClock monotonic, CronListener next) {
    require(budget.isPositive(), "no action is done within ", budget);
    this.budgetNanos = budget.toNanos();
    this.monotonic = monotonic;
    this.next = next;
  }

  /** The number of overruns. May be called by any thread. */
  public long count() {
    return count.get();
  }

  /** How often the actions of each entry have exceeded their budget. */
  public Map<RequestTrail.WriteSource.Entry, Long> overruns() {
    return Map.copyOf(overruns);
  }

  /**
   * The entry whose action is running, in words. Also set after an {@link Error} of the action has
   * ended the replica. May be called by any thread.
   */
  public Optional<String> underWay() {
    return Optional.ofNullable(running).map(run -> run.place().toString());
  }

  /**
   * The step that counts and names overruns while the action is still running, because it may never
   * end. Must run on a thread of its own for as long as the log is open.
   */
  public Step step() {
    return Step.of("action-budget", this::checkRunning);
  }

  private NextRound checkRunning() {
    Run run = running;
    if (run != null && tookNanos(run) > budgetNanos && count(run)) {
      LOG.atWarn()
          .addKeyValue("component", run.place().component().value())
          .addKeyValue("position", run.place().position())
          .log("an action is taking longer than it may: nothing else is executed meanwhile");
    }
    return NextRound.after(LOOKS_EVERY);
  }

  @Override
  public void began(ComponentId component, CronEntry entry) {
    next.began(component, entry);
    running =
        new Run(
            new RequestTrail.WriteSource.Entry(component, entry.position()),
            monotonic.nanos(),
            new AtomicBoolean());
  }

  @Override
  public void ended(ComponentId component, CronEntry entry) {
    Run run = requireNonNull(running, "what ends has begun");
    running = null;
    long took = tookNanos(run);
    if (took > budgetNanos) {
      count(run);
      overran(run.place(), Duration.ofNanos(took));
    }
    next.ended(component, entry);
  }

  private long tookNanos(Run run) {
    return monotonic.nanos() - run.beganNanos();
  }

  /** Counts an overrun once, although both threads may find it. */
  private boolean count(Run run) {
    boolean isFirst = run.isCounted().compareAndSet(false, true);
    if (isFirst) {
      count.incrementAndGet();
    }
    return isFirst;
  }

  private void overran(RequestTrail.WriteSource.Entry place, Duration took) {
    if (!overruns.containsKey(place) && overruns.size() >= MOST_ENTRIES) {
      return;
    }
    long times = overruns.getOrDefault(place, 0L) + 1;
    overruns.put(place, times);
    if (Long.bitCount(times) == 1) {
      LOG.atWarn()
          .addKeyValue("component", place.component().value())
          .addKeyValue("position", place.position())
          .addKeyValue("took", took)
          .addKeyValue("times", times)
          .log("an action has taken longer than it may: nothing else was executed meanwhile");
    }
  }

  @Override
  public void failed(
      ComponentId component, int position, EntryCallback callback, Throwable thrown) {
    next.failed(component, position, callback, thrown);
  }
}
