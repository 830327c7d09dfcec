package io.kairos.engine.poll;

import io.kairos.engine.loop.NextRound;
import io.kairos.engine.loop.Step;
import io.kairos.engine.loop.StepActivity;
import io.kairos.engine.loop.Wakeup;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A step that reports to polls what it does, from the first round that begins after a poll until
 * nothing is left to do. One thread drives the step, so that any number of polls share its rounds.
 */
final class PollableStep {
  private static final Duration UNTIL_SIGNALLED = Duration.ofDays(365);

  private final Step step;
  private final Wakeup wakeup;
  private final boolean byTime;
  private final Queue<StepPoll> asks = new ConcurrentLinkedQueue<>();

  /**
   * @param byTime true when the step also runs at the times that it asks for; otherwise it runs
   *     only when polled or signalled, until it is at rest
   */
  PollableStep(StepActivity activity, boolean byTime) {
    this.step = activity.step();
    this.wakeup = activity.wakeup();
    this.byTime = byTime;
  }

  /** Adds a poll. May be called by any thread. */
  void ask(StepPoll ask) {
    asks.add(ask);
    wakeup.signal();
  }

  /** Removes a poll. May be called by any thread. */
  void forget(StepPoll ask) {
    asks.remove(ask);
  }

  String name() {
    return step.name();
  }

  NextRound runOnce() {
    // Polls from now on may be about work that becomes due during this round.
    List<StepPoll> heard = List.copyOf(asks);
    NextRound next;
    try {
      next = step.runOnce();
    } catch (RuntimeException e) {
      asks.removeAll(heard);
      heard.forEach(StepPoll::failed);
      throw e;
    }
    boolean atRest = !next.left();
    if (atRest) {
      asks.removeAll(heard);
    }
    heard.forEach(ask -> ask.did(next.done(), atRest));
    return byTime || !atRest ? next : NextRound.after(UNTIL_SIGNALLED);
  }
}
