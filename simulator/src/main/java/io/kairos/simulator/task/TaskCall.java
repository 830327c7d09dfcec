package io.kairos.simulator.task;

import io.kairos.domain.task.FencedTask;
import io.kairos.engine.task.port.LeaseRenewal;
import io.kairos.engine.task.port.Settlement;
import io.kairos.simulator.kernel.PortCall;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A call of the task store.
 *
 * @param by the calling process
 * @param name of the method
 * @param argument the argument that names the tasks
 */
public record TaskCall(TaskNodeRun by, String name, Object argument) implements PortCall {
  // The calls of the schedule store that make tasks.
  public static final String FIRE = "fire";
  public static final String FIRE_NAMED = "fireNamed";
  public static final String CHANGE = "change";

  /** The tasks that are named with their fences. */
  Set<FencedTask> named() {
    Set<FencedTask> named = new HashSet<>();
    for (Object one : items()) {
      switch (one) {
        case FencedTask task -> named.add(task);
        case io.kairos.engine.task.port.TaskClaim claim -> named.add(claim.enqueued());
        case LeaseRenewal renewal -> named.add(renewal.task());
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

  public boolean isNamed(String call) {
    return name.equals(call);
  }

  @Override
  public String toString() {
    return name + " by " + by;
  }
}
