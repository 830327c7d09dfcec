package io.kairos.server.edge.task;

import io.kairos.domain.task.PoolName;
import io.kairos.engine.pool.port.PoolStore;
import io.kairos.engine.task.TaskSpec;
import io.kairos.server.edge.refusal.Refusals;
import io.kairos.server.text.Suggestion;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Keeps tasks away from pools that there are not. Those that the node works for are known without
 * asking; whoever deletes one at this moment finds its tasks waiting.
 */
public final class PoolTargets {
  private final ReadyNode node;

  /** Of this node. */
  public PoolTargets(ReadyNode node) {
    this.node = node;
  }

  /** Pools of tasks that this node does not know; mostly none. */
  public Set<PoolName> unknown(List<TaskSpec> specs) {
    Set<PoolName> named = new HashSet<>();
    for (TaskSpec spec : specs) {
      if (spec.queue().handler() instanceof PoolName pool) {
        named.add(pool);
      }
    }
    if (!named.isEmpty()) {
      named.removeAll(node.getPools().known());
    }
    return named;
  }

  /** Asks the store; refuses for one that it does not have either, which stands in this field. */
  public void require(Set<PoolName> names, String field) {
    for (PoolName name : names) {
      PoolStore pools = node.getPools().pools();
      if (pools.find(name).isEmpty()) {
        throw missing(pools, field, name);
      }
    }
  }

  /** There is no such pool; perhaps one of nearly that name. */
  static RuntimeException missing(PoolStore pools, String field, PoolName name) {
    Set<String> others =
        pools.list(null, PoolStore.MOST_POOLS).stream()
            .map(one -> one.pool().name().value())
            .collect(Collectors.toSet());
    return Refusals.notFound(
        field + ": there is no pool " + name + Suggestion.question(name.value(), others));
  }
}
