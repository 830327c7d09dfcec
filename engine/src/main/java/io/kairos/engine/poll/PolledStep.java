package io.kairos.engine.poll;

import io.kairos.engine.loop.Activity;
import io.kairos.engine.loop.Next;
import io.kairos.engine.loop.Step;
import io.kairos.engine.loop.Wakeup;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A step that says to whoever asks what it does, from the first round that begins after the
 * question until nothing is left to do. Driven by one thread like any step, so that any number who
 * ask share its rounds.
 */
final class PolledStep implements Step {
  private static final Duration UNTIL_SIGNALLED = Duration.ofDays(365);

  private final Step step;
  private final Wakeup wakeup;
  private final boolean byTime;
  private final Queue<Ask> asks = new ConcurrentLinkedQueue<>();

  /**
   * @param byTime whether it also runs when its own time has come; else only when it is asked or
   *     signalled, and until it is at rest
   */
  PolledStep(Activity activity, boolean byTime) {
    this.step = activity.step();
    this.wakeup = activity.wakeup();
    this.byTime = byTime;
  }

  /** Any thread. */
  void ask(Ask ask) {
    asks.add(ask);
    wakeup.signal();
  }

  /** Any thread. */
  void forget(Ask ask) {
    asks.remove(ask);
  }

  @Override
  public String name() {
    return step.name();
  }

  @Override
  public Next runOnce() {
    // Who asks from now on may mean what becomes due while this round is under way.
    List<Ask> heard = List.copyOf(asks);
    Next next;
    try {
      next = step.runOnce();
    } catch (RuntimeException e) {
      asks.removeAll(heard);
      heard.forEach(Ask::failed);
      throw e;
    }
    boolean atRest = !next.left();
    if (atRest) {
      asks.removeAll(heard);
    }
    heard.forEach(ask -> ask.did(next.done(), atRest));
    return byTime || !atRest ? next : Next.after(UNTIL_SIGNALLED);
  }
}
