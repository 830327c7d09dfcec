package io.kairos.edge.task;

import io.kairos.api.v1.Access.Kind;
import io.kairos.domain.task.queue.PoolName;
import io.kairos.domain.text.SpellingSuggestion;
import io.kairos.edge.call.ReadyNode;
import io.kairos.edge.caller.PresentCaller;
import io.kairos.edge.refusal.Refusals;
import io.kairos.engine.pool.port.PoolStore;
import io.kairos.engine.pool.port.UnreadablePool;
import io.kairos.engine.task.edge.TaskSpec;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Refuses tasks for pools that do not exist. The store is asked only for pools that this node does
 * not know. A task that arrives while its pool is deleted may be accepted, and waits.
 */
public record PoolTargets(ReadyNode node) {
  /** The pools of these tasks that this node does not know; usually none. */
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

  /** Asks the store for these pools; throws a refusal about {@code field} for a missing one. */
  public void require(Set<PoolName> names, String field) {
    for (PoolName name : names) {
      PoolStore pools = node.getPools().pools();
      if (!exists(pools, name)) {
        throw missing(pools, field, name);
      }
    }
  }

  private static boolean exists(PoolStore pools, PoolName name) {
    try {
      return pools.find(name).isPresent();
    } catch (UnreadablePool _) {
      return true; // a node of a later version pushes its tasks
    }
  }

  /** The refusal for a missing pool; suggests a pool with a similar name. */
  static RuntimeException missing(PoolStore pools, String field, PoolName name) {
    return Refusals.notFound(
        field
            + ": there is no pool "
            + name
            + SpellingSuggestion.question(name.value(), names(pools)));
  }

  private static Set<String> names(PoolStore pools) {
    Set<String> names = new HashSet<>();
    pools
        .list(null, PoolStore.MOST_POOLS, (name, _) -> names.add(name.value()))
        .forEach(one -> names.add(one.pool().name().value()));
    names.removeIf(name -> !PresentCaller.scope().covers(Kind.POOL, name));
    return names;
  }
}
