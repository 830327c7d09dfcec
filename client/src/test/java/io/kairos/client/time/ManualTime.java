package io.kairos.client.time;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Time that passes when a test says so, on the test's thread. */
public final class ManualTime implements ClientTime {
  private static final Instant EPOCH = Instant.parse("2030-01-01T00:00:00Z");

  private final ReentrantLock lock = new ReentrantLock();
  private final PriorityQueue<Entry> entries = new PriorityQueue<>();
  private final List<Duration> slept = new ArrayList<>();
  private long nanos = 1;
  private long sequence;

  private static final class Entry implements Comparable<Entry> {
    final long atNanos;
    final long sequence;
    final Runnable action;

    Entry(long atNanos, long sequence, Runnable action) {
      this.atNanos = atNanos;
      this.sequence = sequence;
      this.action = action;
    }

    @Override
    public int compareTo(Entry other) {
      return atNanos == other.atNanos
          ? Long.compare(sequence, other.sequence)
          : Long.compare(atNanos, other.atNanos);
    }
  }

  /** Runs what is due meanwhile, in order. */
  public void pass(Duration duration) {
    long until = nanos() + duration.toNanos();
    for (Entry due = next(until); due != null; due = next(until)) {
      due.action.run();
    }
  }

  private @Nullable Entry next(long until) {
    lock.lock();
    try {
      Entry first = entries.peek();
      if (first == null || first.atNanos > until) {
        nanos = Math.max(nanos, until);
        return null;
      }
      entries.remove();
      nanos = Math.max(nanos, first.atNanos);
      return first;
    } finally {
      lock.unlock();
    }
  }

  /** As when the process was stopped: time has passed, and no timer has run. */
  public void jump(Duration duration) {
    lock.lock();
    try {
      nanos += duration.toNanos();
    } finally {
      lock.unlock();
    }
  }

  public List<Duration> slept() {
    return slept;
  }

  @Override
  public Instant now() {
    return EPOCH.plusNanos(nanos());
  }

  @Override
  public long nanos() {
    lock.lock();
    try {
      return nanos;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void sleep(Duration duration) {
    slept.add(duration);
    pass(duration);
  }

  @Override
  public ActionTimer timer(String threadName) {
    return new ActionTimer() {
      private boolean closed;

      @Override
      public Cancellation after(Duration delay, Runnable action) {
        lock.lock();
        try {
          Entry entry =
              new Entry(
                  nanos + delay.toNanos(),
                  sequence++,
                  () -> {
                    if (!closed) {
                      action.run();
                    }
                  });
          entries.add(entry);
          return () -> remove(entry);
        } finally {
          lock.unlock();
        }
      }

      @Override
      public void close() {
        closed = true;
      }
    };
  }

  private void remove(Entry entry) {
    lock.lock();
    try {
      entries.removeIf(one -> one == entry);
    } finally {
      lock.unlock();
    }
  }
}
