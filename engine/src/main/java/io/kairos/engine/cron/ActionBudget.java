package io.kairos.engine.cron;

import io.kairos.domain.cron.Callback;
import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.cron.CronEntry;
import io.kairos.domain.cron.CronListener;
import io.kairos.engine.time.Monotonic;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices actions that take longer than they may: nothing else is executed meanwhile (CC-L5). They
 * are counted and named on the replica where it happened, and in its log at the first, second,
 * fourth… time of an entry. No part of the state, because another replica may be faster. Bounded:
 * beyond {@value #MOST_ENTRIES} entries only counted. On the log's thread, but for {@link #count}.
 */
public final class ActionBudget implements CronListener {
  static final int MOST_ENTRIES = 1_000;
  private static final Logger LOG = LoggerFactory.getLogger(ActionBudget.class);

  private final long budgetNanos;
  private final Monotonic monotonic;
  private final CronListener next;
  private final AtomicLong count = new AtomicLong();
  private final TreeMap<Place, Overrun> overruns = new TreeMap<>();
  private long beganNanos;

  private record Place(ComponentId component, int position) implements Comparable<Place> {
    @Override
    public int compareTo(Place other) {
      int byComponent = component.compareTo(other.component);
      return byComponent != 0 ? byComponent : Integer.compare(position, other.position);
    }
  }

  /**
   * An entry whose action has taken too long.
   *
   * @param count how often
   * @param longest what it took at most
   */
  public record Overrun(ComponentId component, int position, long count, Duration longest) {}

  /**
   * Measures, and passes everything on.
   *
   * @param budget of one run of an action
   */
  public ActionBudget(Duration budget, Monotonic monotonic, CronListener next) {
    if (!budget.isPositive()) {
      throw new IllegalArgumentException("no action is done within " + budget);
    }
    this.budgetNanos = budget.toNanos();
    this.monotonic = monotonic;
    this.next = next;
  }

  /** How many runs have taken too long. Any thread. */
  public long count() {
    return count.get();
  }

  /** The entries whose actions have taken too long, by component and position. */
  public List<Overrun> overruns() {
    return List.copyOf(overruns.values());
  }

  @Override
  public void began(ComponentId component, CronEntry entry) {
    next.began(component, entry);
    beganNanos = monotonic.nanos();
  }

  @Override
  public void ended(ComponentId component, CronEntry entry) {
    long took = monotonic.nanos() - beganNanos;
    if (took > budgetNanos) {
      overran(new Place(component, entry.position()), Duration.ofNanos(took));
    }
    next.ended(component, entry);
  }

  private void overran(Place place, Duration took) {
    count.incrementAndGet();
    Overrun before = overruns.get(place);
    if (before == null && overruns.size() >= MOST_ENTRIES) {
      return;
    }
    long times = before == null ? 1 : before.count() + 1;
    Duration longest =
        before == null || took.compareTo(before.longest()) > 0 ? took : before.longest();
    overruns.put(place, new Overrun(place.component(), place.position(), times, longest));
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
  public void failed(ComponentId component, int position, Callback callback, Throwable thrown) {
    next.failed(component, position, callback, thrown);
  }
}
