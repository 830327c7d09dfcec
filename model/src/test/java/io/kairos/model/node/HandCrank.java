package io.kairos.model.node;

import io.kairos.engine.loop.Loop;
import io.kairos.engine.loop.Step;
import io.kairos.engine.loop.StepActivity;
import io.kairos.engine.loop.Wakeup;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Virtual time on the test's own thread. Rounds of steps and completions of sends happen one after
 * the other, each at its time; a step that waits inside its round lets completions happen, nothing
 * else.
 */
final class HandCrank {
  static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private record Event(long atNanos, long number, Runnable action) {}

  private final PriorityQueue<Event> rounds = events();
  private final PriorityQueue<Event> completions = events();
  private long nowNanos;
  private long lastNumber;

  private static PriorityQueue<Event> events() {
    return new PriorityQueue<>((a, b) ->
        a.atNanos == b.atNanos
            ? Long.compare(a.number, b.number)
            : Long.compare(a.atNanos, b.atNanos));
  }

  InstantSource clock() {
    return () -> START.plusNanos(nowNanos);
  }

  long nanos() {
    return nowNanos;
  }

  /** A send's end, at that time from now. */
  void completeAfter(Duration wait, Runnable completion) {
    completions.add(new Event(nowNanos + wait.toNanos(), ++lastNumber, completion));
  }

  /** Drives the activity from now on. */
  void drive(StepActivity activity) {
    Signal signal = (Signal) activity.wakeup();
    signal.step = activity.step();
    signal.turn(activity.step(), Duration.ZERO);
  }

  /** Lets that much time pass. */
  void pass(Duration time) {
    long untilNanos = nowNanos + time.toNanos();
    while (true) {
      Event round = rounds.peek();
      Event completion = completions.peek();
      boolean completes =
          completion != null && (round == null || completion.atNanos <= round.atNanos);
      Event next = completes ? completion : round;
      if (next == null || next.atNanos > untilNanos) {
        nowNanos = untilNanos;
        return;
      }
      (completes ? completions : rounds).poll();
      nowNanos = Math.max(nowNanos, next.atNanos);
      next.action.run();
    }
  }

  Wakeup wakeup() {
    return new Signal();
  }

  /** Wakes its activity when that is between rounds, ends its wait when it is inside one. */
  private final class Signal implements Wakeup {
    /** Nothing takes no time at all, or a step that goes on at once would stop the clock. */
    private static final Duration A_ROUND = Duration.ofNanos(100_000);

    private @Nullable Step step;
    private long turns;
    private boolean signalled;

    void turn(Step of, Duration wait) {
      long mine = ++turns;
      rounds.add(
          new Event(
              nowNanos + wait.toNanos(),
              ++lastNumber,
              () -> {
                if (mine == turns) {
                  signalled = false;
                  Duration next = round(of);
                  turn(of, signalled || next.compareTo(A_ROUND) < 0 ? A_ROUND : next);
                }
              }));
    }

    /** Trouble outside is tried again, a broken invariant ends the test: as {@link Loop} does. */
    private static Duration round(Step of) {
      try {
        return of.runOnce().after();
      } catch (IllegalStateException e) {
        throw e;
      } catch (RuntimeException e) {
        return Duration.ofMillis(50);
      }
    }

    @Override
    public void signal() {
      signalled = true;
      Step driven = step;
      if (driven != null) {
        turn(driven, Duration.ZERO);
      }
    }

    @Override
    public void await(Duration atMost) {
      long untilNanos = nowNanos + atMost.toNanos();
      while (!signalled) {
        Event completion = completions.peek();
        if (completion == null || completion.atNanos > untilNanos) {
          nowNanos = untilNanos;
          return;
        }
        completions.poll();
        nowNanos = Math.max(nowNanos, completion.atNanos);
        completion.action.run();
      }
      signalled = false;
    }
  }
}
