package io.kairos.inprocess;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.engine.loop.NextRound;
import io.kairos.engine.loop.StepActivity;
import io.kairos.engine.loop.Wakeup;
import io.kairos.engine.time.MonotonicClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Ends the waits of calls when their time is over: those of workers for work, and of callers for
 * the end of a task. Driven by a loop of the node. Thread-safe; bounded by the calls that wait.
 */
final class WaitEnds {
  private static final Duration IDLE = Duration.ofMinutes(1);

  private final MonotonicClock monotonic;
  private final Wakeup wakeup;

  @GuardedBy("this")
  private final PriorityQueue<Wait> waits =
      new PriorityQueue<>(Comparator.comparingLong(Wait::sinceStart));

  private final long startNanos;

  WaitEnds(MonotonicClock monotonic, Wakeup wakeup) {
    this.monotonic = monotonic;
    this.wakeup = wakeup;
    this.startNanos = monotonic.nanos();
  }

  /**
   * A wait.
   *
   * @param sinceStart its end, as the elapsed time since this object was made
   */
  private record Wait(long sinceStart, Runnable end) {}

  /** Ends a wait after a time; the action is short. Returns what forgets it. */
  Runnable after(Duration time, Runnable end) {
    Wait wait = new Wait(monotonic.nanos() - startNanos + time.toNanos(), end);
    boolean isFirst;
    synchronized (this) {
      waits.add(wait);
      isFirst = wait.equals(waits.peek());
    }
    if (isFirst) {
      wakeup.signal();
    }
    return () -> forget(wait);
  }

  private synchronized void forget(Wait wait) {
    waits.remove(wait);
  }

  StepActivity activity() {
    return StepActivity.serving("end-waits", this::runOnce, wakeup);
  }

  private NextRound runOnce() {
    List<Wait> over = new ArrayList<>();
    Duration next = IDLE;
    synchronized (this) {
      long now = monotonic.nanos() - startNanos;
      for (Wait first = waits.peek(); first != null; first = waits.peek()) {
        if (first.sinceStart > now) {
          next = Duration.ofNanos(first.sinceStart - now);
          break;
        }
        over.add(waits.remove());
      }
    }
    over.forEach(wait -> wait.end.run());
    return NextRound.after(next);
  }
}
