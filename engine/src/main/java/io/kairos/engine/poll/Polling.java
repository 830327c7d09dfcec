package io.kairos.engine.poll;

import io.kairos.engine.loop.Activity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Lets somebody outside drive what a node does because time has passed (PH-11, PH-36), instead of
 * the node's own loops or beside them. A poll has every step that looks for such work do so, each
 * on its own thread, and hears what came of it. Polls of any number at any rate share rounds; what
 * is done once is decided by the store alone. Thread-safe.
 */
public final class Polling {
  /** Polls that may wait at a time. */
  public static final int MOST = 1_000;

  private final List<PolledStep> steps = new ArrayList<>();
  private final List<Activity> activities = new ArrayList<>();
  private final Semaphore room = new Semaphore(MOST);

  /**
   * Of the activities of one node; nothing runs yet.
   *
   * @param byTime whether the steps that look for work also do so by themselves, again and again;
   *     else only when they are polled, when a call or another step signals them, and once at the
   *     start
   */
  public Polling(List<Activity> ofNode, boolean byTime) {
    for (Activity activity : ofNode) {
      switch (activity.duty()) {
        case LOOKS_FOR_DUE -> {
          PolledStep step = new PolledStep(activity, byTime);
          steps.add(step);
          activities.add(activity.around(_ -> step));
        }
        case SERVES -> activities.add(activity);
      }
    }
  }

  /** All of the node's, to be driven one thread each. */
  public List<Activity> activities() {
    return List.copyOf(activities);
  }

  /**
   * Begins a poll.
   *
   * @param answer told once what the steps have done, on the thread of the last of them or of who
   *     {@linkplain Poll#end ends} it; must not block
   * @return empty when too many wait already
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
    private final List<Ask> asks;
    private final AtomicInteger missing;
    private final AtomicBoolean ended = new AtomicBoolean();

    private Poll(Consumer<List<StepReport>> answer) {
      this.answer = answer;
      this.asks = steps.stream().map(step -> new Ask(step.name(), this::stepEnded)).toList();
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

    /** Answers with what there is, unless it has been answered. What is under way goes on. */
    public void end() {
      if (!ended.compareAndSet(false, true)) {
        return;
      }
      for (int i = 0; i < asks.size(); i++) {
        steps.get(i).forget(asks.get(i));
      }
      room.release();
      answer.accept(asks.stream().map(Ask::report).toList());
    }
  }
}
