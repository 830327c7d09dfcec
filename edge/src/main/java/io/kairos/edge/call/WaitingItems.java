package io.kairos.edge.call;

import io.kairos.edge.access.CallerBudget;
import io.kairos.edge.caller.PresentCaller;
import io.kairos.edge.refusal.Refusals;
import io.kairos.engine.task.edge.AnswerCallback;
import java.util.function.Predicate;

/**
 * Items of one kind that wait for the store: tasks, heartbeats or results. One caller may have half
 * of them, so that its items do not keep those of others waiting. Thread-safe.
 */
public final class WaitingItems {
  private final CallerBudget items;
  private final String kind;
  private final int mostOfOne;

  /**
   * Nothing waits yet.
   *
   * @param kind a word for refusals
   * @param most the items of all callers together
   */
  public WaitingItems(String kind, int most) {
    this.items = new CallerBudget(most);
    this.kind = kind;
    this.mostOfOne = most / 2;
  }

  /**
   * Offers items of the present caller, which count until the answer. A request of more items than
   * one caller may have goes alone.
   *
   * @param offer offers the items with this callback; false when they were not taken
   * @throws io.kairos.edge.refusal.RefusedCall when there is no room; nothing has been done
   */
  public <T> void offer(int count, AnswerCallback<T> answer, Predicate<AnswerCallback<T>> offer) {
    String caller = PresentCaller.nameOrAddress();
    int counted = Math.min(count, mostOfOne);
    if (!items.take(caller, counted)) {
      throw Refusals.tooMuch(
          "as many %s wait for the store as may (tasks.max-pending), of which one caller may have half; nothing has been done: send fewer at a time"
              .formatted(kind));
    }
    boolean taken = false;
    try {
      taken =
          offer.test(
              AnswerCallback.of(
                  value -> {
                    items.giveBack(caller, counted);
                    answer.answered(value);
                  },
                  cause -> {
                    items.giveBack(caller, counted);
                    answer.failed(cause);
                  }));
    } finally {
      if (!taken) {
        items.giveBack(caller, counted);
      }
    }
    Refusals.requireRoom(taken);
  }
}
