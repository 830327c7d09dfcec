package io.kairos.engine.pool;

import io.kairos.domain.pool.AllowList;
import io.kairos.domain.task.queue.PoolName;
import io.kairos.engine.pool.port.PoolStore;
import java.util.List;
import java.util.Set;

/** A node's pool calls for its edges. Thread-safe. */
public interface PoolEdge {
  /** The store of pools; its calls block. */
  PoolStore pools();

  /** The addresses to which nodes may push. */
  AllowList allowed();

  /** The tokens that end attempts later. */
  CompletionTokens tokens();

  /** Pools that this node has recently pushed tasks of. */
  Set<PoolName> known();

  /** The endpoints of a pool as this node sees them, including those that it does not push to. */
  List<EndpointView> endpoints(PoolName name);

  /** Random bytes for a new signing key. */
  byte[] newSecret();

  /** Makes this node notice changed pools soon. */
  void poolsChanged();
}
