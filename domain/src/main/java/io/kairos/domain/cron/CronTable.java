package io.kairos.domain.cron;

import io.kairos.domain.page.ReservedPages;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The ordered entries of one component (CC-1). Used by the one thread that executes requests
 * (CC-43), as are the functions of its entries. A tick costs one rule per entry.
 *
 * <p>A function that throws a {@link RuntimeException} hurts only itself: what it wrote to pages of
 * user code is taken back, the failure is recorded in the state, and the table goes on. An {@link
 * Error} is not caught: it may come of this machine, so that going on would part this replica from
 * the others.
 *
 * <p>A function may change its own table. Entries behind it are seen in the same tick as they then
 * are; those before it, at the next.
 */
public final class CronTable {
  private static final long OUTSIDE_A_TICK = 0;

  private final ComponentId component;
  private final ReservedPages pages;
  private final CronListener listener;
  private final NextTimes nextTimes;
  private final FailureLog failures;
  private final TreeMap<Integer, CronEntry> entries = new TreeMap<>();

  /** Counts changes of the entries, so that a walk over them notices. */
  private long changes;

  private @Nullable Tick evaluating;
  private int failedInTick;

  CronTable(ComponentId component, ReservedPages pages, CronListener listener) {
    this.component = component;
    this.pages = pages;
    this.listener = listener;
    this.nextTimes = new NextTimes(component, pages);
    this.failures = new FailureLog(component, pages);
  }

  public ComponentId component() {
    return component;
  }

  /**
   * Adds an entry.
   *
   * @throws IllegalArgumentException if its position is taken: {@link #replace} says so if that is
   *     meant (CC-9)
   */
  public void add(CronEntry entry) {
    if (entries.putIfAbsent(entry.position(), entry) != null) {
      throw new IllegalArgumentException(
          "position " + entry.position() + " of " + component + " is taken; replace() replaces");
    }
    changes++;
  }

  /** Puts an entry in the place of whatever is there, which is removed first; returns that. */
  public Optional<CronEntry> replace(CronEntry entry) {
    Optional<CronEntry> before = find(entry.position());
    remove(entry.position());
    add(entry);
    return before;
  }

  /** Removes an entry and tells it so (CC-6); false if there is none. */
  public boolean remove(int position) {
    CronEntry entry = entries.remove(position);
    if (entry == null) {
      return false;
    }
    changes++;
    tellRemoved(entry);
    return true;
  }

  /** Removes all entries, tells each in order of position (CC-7), and says how many there were. */
  public int removeAll() {
    List<CronEntry> removed = List.copyOf(entries.values());
    entries.clear();
    changes++;
    removed.forEach(this::tellRemoved);
    return removed.size();
  }

  private void tellRemoved(CronEntry entry) {
    OnRemove onRemove = entry.onRemove();
    if (onRemove != null) {
      succeeds(
          entry.position(),
          Callback.ON_REMOVE,
          () -> onRemove.removed(component, entry.position()));
      if (evaluating == null) {
        failures.save();
      }
    }
  }

  public Optional<CronEntry> find(int position) {
    return Optional.ofNullable(entries.get(position));
  }

  /** In order of position. */
  public List<CronEntry> entries() {
    return List.copyOf(entries.values());
  }

  public int count() {
    return entries.size();
  }

  public boolean isEmpty() {
    return entries.isEmpty();
  }

  /**
   * Asks every rule in order of position, and lets those entries act that are due: first the next
   * time is noted, then the action runs, then comes the next entry's rule (CC-3, CC-4). At the end
   * the next times and failures that have changed are saved.
   */
  public Evaluation evaluate(Tick tick) {
    if (!tick.component().equals(component)) {
      return Evaluation.IGNORED;
    }
    if (evaluating != null) {
      throw new IllegalStateException(component + " is being evaluated: a tick has no tick inside");
    }
    evaluating = tick;
    failedInTick = 0;
    try {
      return walk(tick);
    } finally {
      evaluating = null;
    }
  }

  private Evaluation walk(Tick tick) {
    int asked = 0;
    int fired = 0;
    long seenChanges = changes;
    Iterator<CronEntry> rest = entries.values().iterator();
    while (rest.hasNext()) {
      CronEntry entry = rest.next();
      asked++;
      if (isDue(entry, tick) && fires(entry, tick)) {
        fired++;
      }
      if (changes != seenChanges) {
        seenChanges = changes;
        rest = entries.tailMap(entry.position(), false).values().iterator();
      }
    }
    nextTimes.save();
    failures.save();
    return new Evaluation.Done(asked, fired, failedInTick);
  }

  private boolean isDue(CronEntry entry, Tick tick) {
    try {
      return entry.rule().isDue(tick);
    } catch (RuntimeException e) { // of user code: recorded, and the table goes on
      failed(entry.position(), Callback.RULE, e);
      return false;
    }
  }

  /** Without a next time no action: it would run again at every tick. */
  private boolean fires(CronEntry entry, Tick tick) {
    ScheduleNext next = entry.scheduleNext();
    if (next != null
        && !succeeds(entry.position(), Callback.SCHEDULE_NEXT, () -> next.schedule(tick))) {
      return false;
    }
    listener.began(component, entry);
    boolean succeeded = succeeds(entry.position(), Callback.ACTION, () -> entry.action().run(tick));
    listener.ended(component, entry);
    return succeeded;
  }

  private boolean succeeds(int position, Callback callback, Runnable code) {
    try {
      pages.undoIfItThrows(code);
      return true;
    } catch (RuntimeException e) { // of user code: recorded, and the table goes on
      failed(position, callback, e);
      return false;
    }
  }

  private void failed(int position, Callback callback, RuntimeException thrown) {
    Tick tick = evaluating;
    failedInTick++;
    failures.record(position, callback, tick == null ? OUTSIDE_A_TICK : tick.sequence(), thrown);
    listener.failed(component, position, callback, thrown);
  }

  /** How many callbacks of this table have thrown: part of the state. */
  public long failureCount() {
    return failures.total();
  }

  /** What is recorded of entries whose callbacks have thrown, by position; bounded. */
  public List<Failure> failures() {
    return failures.list();
  }

  /** When a periodic entry is due next; empty before its first tick, and for other entries. */
  public Optional<Instant> nextFire(int position) {
    NextTimes.Cell cell = nextTimes.cell(position);
    return nextTimes.isKnown(cell)
        ? Optional.of(Instant.ofEpochMilli(nextTimes.millis(cell)))
        : Optional.empty();
  }

  /**
   * Sets when periodic entries are due next, by position, and writes it. Not while a tick is
   * evaluated.
   */
  public void tell(SortedMap<Integer, Instant> times) {
    times.forEach((position, at) -> nextTimes.set(nextTimes.cell(position), at.toEpochMilli()));
    nextTimes.save();
  }

  /** Forgets the next times of all entries: each begins anew with the next tick (CC-28). */
  public void forgetSchedule() {
    nextTimes.forgetAll();
  }

  /** Forgets what is recorded of callbacks that have thrown. Not while a tick is evaluated. */
  public void forgetFailures() {
    failures.forget();
  }

  NextTimes nextTimes() {
    return nextTimes;
  }
}
