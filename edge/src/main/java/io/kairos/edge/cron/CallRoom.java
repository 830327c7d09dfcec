package io.kairos.edge.cron;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.edge.refusal.CallRefusals;
import java.util.HashMap;
import java.util.Map;

/**
 * Room for calls in progress, of which one caller may have half, so that a flood of one leaves room
 * for the others. Thread-safe; never waits.
 */
final class CallRoom {
  private final int most;

  @GuardedBy("this")
  private final Map<String, Integer> byCaller = new HashMap<>();

  @GuardedBy("this")
  private int inProgress;

  CallRoom(int most) {
    this.most = most;
  }

  /** Lets a call in, or refuses it with what to do. */
  synchronized void enter(String caller) {
    int ofCaller = byCaller.getOrDefault(caller, 0);
    if (ofCaller >= most / 2) {
      throw CallRefusals.tooMuch(
          "%d of your calls are in progress at this replica, and one caller may have no more: wait for an answer before the next call; nothing has been done"
              .formatted(ofCaller));
    }
    if (inProgress >= most) {
      throw CallRefusals.tooMuch();
    }
    inProgress++;
    byCaller.put(caller, ofCaller + 1);
  }

  synchronized void leave(String caller) {
    inProgress--;
    byCaller.computeIfPresent(caller, (_, calls) -> calls == 1 ? null : calls - 1);
  }
}
