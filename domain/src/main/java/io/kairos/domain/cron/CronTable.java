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
 * The ordered entries of one component. The one thread that executes requests uses the table and
 * calls the functions of its entries. A tick evaluates one rule for each entry.
 *
 * <p>A function that throws a {@link RuntimeException} affects no other entry: its writes to pages
 * of user code are undone, the failure is recorded in the state, and the table goes on. An {@link
 * Error} is not caught: its cause may be this machine, and going on would make this replica differ
 * from the others.
 *
 * <p>A function may change its own table. Changes of later entries hold in the same tick, those of
 * earlier entries in the next one.
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
   * @throws IllegalArgumentException if its position is taken; {@link #replace} replaces an entry
   */
  public void add(CronEntry entry) {
    if (entries.putIfAbsent(entry.position(), entry) != null) {
      throw new IllegalArgumentException(
          "position " + entry.position() + " of " + component + " is taken; replace() replaces");
    }
    changes++;
  }

  /**
   * Puts an entry at its position, and removes the entry that is there first.
   *
   * @return the removed entry
   */
  public Optional<CronEntry> replace(CronEntry entry) {
    Optional<CronEntry> before = find(entry.position());
    remove(entry.position());
    add(entry);
    return before;
  }

  /**
   * Removes an entry and calls its {@link OnRemove}.
   *
   * @return false if there is none
   */
  public boolean remove(int position) {
    CronEntry entry = entries.remove(position);
    if (entry == null) {
      return false;
    }
    changes++;
    tellRemoved(entry);
    return true;
  }

  /**
   * Removes all entries and calls the {@link OnRemove} of each, in order of position.
   *
   * @return how many entries there were
   */
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
          EntryCallback.ON_REMOVE,
          () -> onRemove.removed(component, entry.position()));
      if (evaluating == null) {
        failures.save();
      }
    }
  }

  public Optional<CronEntry> find(int position) {
    return Optional.ofNullable(entries.get(position));
  }

  public int count() {
    return entries.size();
  }

  /**
   * Evaluates every rule in order of position. For a due entry the next time is noted first, then
   * its action runs, then the rule of the next entry follows. At the end changed next times and
   * failures are saved.
   */
  public TickEvaluation evaluate(Tick tick) {
    if (!tick.component().equals(component)) {
      return TickEvaluation.IGNORED;
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

  private TickEvaluation walk(Tick tick) {
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
    return new TickEvaluation.Done(asked, fired, failedInTick);
  }

  private boolean isDue(CronEntry entry, Tick tick) {
    try {
      return entry.rule().isDue(tick);
    } catch (RuntimeException e) { // of user code: recorded, and the table goes on
      failed(entry.position(), EntryCallback.RULE, e);
      return false;
    }
  }

  /** Runs the action only if the next time was noted: else it would run again at every tick. */
  private boolean fires(CronEntry entry, Tick tick) {
    CronAction next = entry.scheduleNext();
    if (next != null
        && !succeeds(entry.position(), EntryCallback.SCHEDULE_NEXT, () -> next.run(tick))) {
      return false;
    }
    listener.began(component, entry);
    boolean succeeded =
        succeeds(entry.position(), EntryCallback.ACTION, () -> entry.action().run(tick));
    listener.ended(component, entry);
    return succeeded;
  }

  private boolean succeeds(int position, EntryCallback callback, Runnable code) {
    try {
      pages.undoIfItThrows(code);
      return true;
    } catch (RuntimeException e) { // of user code: recorded, and the table goes on
      failed(position, callback, e);
      return false;
    }
  }

  private void failed(int position, EntryCallback callback, RuntimeException thrown) {
    Tick tick = evaluating;
    failedInTick++;
    failures.record(position, callback, tick == null ? OUTSIDE_A_TICK : tick.sequence(), thrown);
    listener.failed(component, position, callback, thrown);
  }

  /** Returns how many callbacks of this table have thrown. Part of the state. */
  public long failureCount() {
    return failures.total();
  }

  /** Returns the recorded failures by position; bounded. */
  public List<EntryFailure> failures() {
    return failures.list();
  }

  /**
   * Returns when a periodic entry is due next; empty before its first tick, and for other entries.
   */
  public Optional<Instant> nextFire(int position) {
    NextTimes.Cell cell = nextTimes.cell(position);
    return nextTimes.isKnown(cell)
        ? Optional.of(Instant.ofEpochMilli(nextTimes.millis(cell)))
        : Optional.empty();
  }

  /**
   * Sets and writes the next times of periodic entries, by position. Must not be called while a
   * tick is evaluated.
   */
  public void tell(SortedMap<Integer, Instant> times) {
    times.forEach((position, at) -> nextTimes.set(nextTimes.cell(position), at.toEpochMilli()));
    nextTimes.save();
  }

  /** Deletes the next times of all entries: each begins anew with the next tick. */
  public void forgetSchedule() {
    nextTimes.forgetAll();
  }

  /** Deletes the recorded failures. Must not be called while a tick is evaluated. */
  public void forgetFailures() {
    failures.forget();
  }

  NextTimes nextTimes() {
    return nextTimes;
  }
}
