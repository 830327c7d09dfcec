package io.kairos.engine.cron;

import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.cron.CronEntry;
import io.kairos.domain.cron.CronListener;
import io.kairos.domain.cron.EntryCallback;
import io.kairos.domain.page.ReservedPages;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * Hashes of the writes of recent requests, by entry. Digests show that two replicas have diverged;
 * their trails show at which request and entry, mostly an action that is not deterministic. Local,
 * bounded, and not part of the replicated state. Used on the log's thread only.
 */
public final class RequestTrail {
  static final int MOST_STEPS = 65_536;

  private final ReservedPages pages;
  private final Deque<Step> steps = new ArrayDeque<>();
  private long sequence;

  /** The part of a request that wrote. */
  public sealed interface WriteSource {
    /** An entry's action, and the update of its next time. */
    record Entry(ComponentId component, int position) implements WriteSource {
      @Override
      public String toString() {
        return "position " + position + " of " + component;
      }
    }

    /** All other writes: of the client's request itself, and of time, rounds and next times. */
    record Rest() implements WriteSource {
      @Override
      public String toString() {
        return "the request itself";
      }
    }
  }

  /** The hash of the writes of one place. */
  public record Step(long sequence, WriteSource place, long writes) {}

  RequestTrail(ReservedPages pages) {
    this.pages = pages;
  }

  void begin(long sequence) {
    this.sequence = sequence;
    pages.takeWriteHash();
  }

  void end() {
    note(new WriteSource.Rest());
  }

  /** The sequence of the present request, or of the last one. */
  public long at() {
    return sequence;
  }

  /** Forgets all steps, because a snapshot has replaced the state. */
  void clear() {
    steps.clear();
  }

  private void note(WriteSource place) {
    long writes = pages.takeWriteHash();
    if (writes != 0) {
      if (steps.size() == MOST_STEPS) {
        steps.removeFirst();
      }
      steps.addLast(new Step(sequence, place, writes));
    }
  }

  /** The recorded steps of all requests after a sequence, in order. */
  public List<Step> steps(long after) {
    List<Step> found = new ArrayList<>();
    Iterator<Step> back = steps.descendingIterator();
    while (back.hasNext()) {
      Step step = back.next();
      if (step.sequence() <= after) {
        break;
      }
      found.add(step);
    }
    return found.reversed();
  }

  /**
   * Returns the first step of {@code one} that differs from the step of {@code other}; after the
   * end of {@code one}, the next step of {@code other}. Empty if the trails agree as far as both
   * reach.
   */
  public static Optional<Step> firstDifference(List<Step> one, List<Step> other) {
    if (one.isEmpty() || other.isEmpty()) {
      return Optional.empty();
    }
    // The first request of a bounded trail may be incomplete.
    long after = Math.max(one.getFirst().sequence(), other.getFirst().sequence());
    long until = Math.min(one.getLast().sequence(), other.getLast().sequence());
    Iterator<Step> ones = between(one, after, until);
    Iterator<Step> others = between(other, after, until);
    while (ones.hasNext() && others.hasNext()) {
      Step step = ones.next();
      if (!step.equals(others.next())) {
        return Optional.of(step);
      }
    }
    return ones.hasNext()
        ? Optional.of(ones.next())
        : others.hasNext() ? Optional.of(others.next()) : Optional.empty();
  }

  private static Iterator<Step> between(List<Step> steps, long after, long until) {
    return steps.stream()
        .filter(step -> step.sequence() > after && step.sequence() <= until)
        .iterator();
  }

  /** A listener that records the writes of entries and passes every event on to {@code next}. */
  CronListener behind(CronListener next) {
    return new CronListener() {
      @Override
      public void began(ComponentId component, CronEntry entry) {
        next.began(component, entry);
      }

      @Override
      public void ended(ComponentId component, CronEntry entry) {
        note(new WriteSource.Entry(component, entry.position()));
        next.ended(component, entry);
      }

      @Override
      public void failed(
          ComponentId component, int position, EntryCallback callback, Throwable thrown) {
        next.failed(component, position, callback, thrown);
      }
    };
  }
}
