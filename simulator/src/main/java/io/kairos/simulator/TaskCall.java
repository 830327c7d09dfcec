package io.kairos.simulator;

import io.kairos.domain.task.FencedTask;
import io.kairos.engine.task.port.Settlement;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A call of the task store.
 *
 * @param by the process that makes it
 * @param name of the method
 * @param argument the one that says which tasks it is about
 */
record TaskCall(TaskProcess by, String name, Object argument) implements Operation {
  /** The tasks that are named with their fences. */
  Set<FencedTask> named() {
    Set<FencedTask> named = new HashSet<>();
    for (Object one : items()) {
      switch (one) {
        case FencedTask task -> named.add(task);
        case io.kairos.engine.task.port.Claim claim -> named.add(claim.enqueued());
        case Settlement settlement -> named.add(settlement.task());
        default -> {}
      }
    }
    return named;
  }

  List<Settlement> settlements() {
    return items().stream()
        .filter(Settlement.class::isInstance)
        .map(Settlement.class::cast)
        .toList();
  }

  private Collection<?> items() {
    return argument instanceof Collection<?> many ? many : List.of(argument);
  }

  boolean isNamed(String call) {
    return name.equals(call);
  }

  @Override
  public String toString() {
    return name + " by " + by;
  }
}
