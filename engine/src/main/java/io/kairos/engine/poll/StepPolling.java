package io.kairos.engine.poll;

import io.kairos.engine.loop.Step;
import io.kairos.engine.loop.StepActivity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Lets callers outside drive the steps that look for due work, instead of the node's own loops or
 * beside them. A poll makes every such step run on its own thread until it is at rest, and collects
 * the reports. Concurrent polls share rounds; the store alone decides that work is done once.
 * Thread-safe.
 */
public final class StepPolling {
  /** Most polls that may wait at a time. */
  public static final int MOST = 1_000;

  private final List<PollableStep> steps = new ArrayList<>();
  private final List<StepActivity> activities = new ArrayList<>();
  private final Semaphore room = new Semaphore(MOST);

  /**
   * Wraps the activities of one node; nothing runs yet.
   *
   * @param byTime true when the steps that look for due work also run by themselves; otherwise they
   *     run only when polled, when signalled by a call or another step, and once at the start
   */
  public StepPolling(List<StepActivity> ofNode, boolean byTime) {
    for (StepActivity activity : ofNode) {
      switch (activity.duty()) {
        case LOOKS_FOR_DUE -> {
          PollableStep step = new PollableStep(activity, byTime);
          steps.add(step);
          activities.add(activity.around(whole -> Step.of(whole.name(), step::runOnce)));
        }
        case SERVES -> activities.add(activity);
      }
    }
  }

  /** All activities of the node; the caller drives each on a thread of its own. */
  public List<StepActivity> activities() {
    return List.copyOf(activities);
  }

  /**
   * Begins a poll.
   *
   * @param answer called once with the steps' reports, on the thread of the last step or of the
   *     caller of {@link Poll#end}; must not block
   * @return empty when too many polls wait already
   */
  public Optional<Poll> poll(Consumer<List<StepReport>> answer) {
    if (!room.tryAcquire()) {
      return Optional.empty();
    }
    Poll poll = new Poll(answer);
    poll.begin();
    return Optional.of(poll);
  }

  /** A poll under way. It ends when every step is at rest or has failed, or by {@link #end}. */
  public final class Poll {
    private final Consumer<List<StepReport>> answer;
    private final List<StepPoll> asks;
    private final AtomicInteger missing;
    private final AtomicBoolean ended = new AtomicBoolean();

    private Poll(Consumer<List<StepReport>> answer) {
      this.answer = answer;
      this.asks = steps.stream().map(step -> new StepPoll(step.name(), this::stepEnded)).toList();
      this.missing = new AtomicInteger(asks.size());
    }

    private void begin() {
      for (int i = 0; i < asks.size(); i++) {
        steps.get(i).ask(asks.get(i));
      }
    }

    private void stepEnded() {
      if (missing.decrementAndGet() == 0) {
        end();
      }
    }

    /** Answers with the reports so far, unless the poll has ended. Rounds under way go on. */
    public void end() {
      if (!ended.compareAndSet(false, true)) {
        return;
      }
      for (int i = 0; i < asks.size(); i++) {
        steps.get(i).forget(asks.get(i));
      }
      room.release();
      answer.accept(asks.stream().map(StepPoll::report).toList());
    }
  }
}
