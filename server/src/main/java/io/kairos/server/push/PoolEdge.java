package io.kairos.server.push;

import io.kairos.domain.pool.AllowList;
import io.kairos.domain.task.PoolName;
import io.kairos.engine.pool.port.PoolStore;
import java.util.List;
import java.util.Set;

/** What a node offers to its edges for pools. Thread-safe. */
public interface PoolEdge {
  /** Where they are kept; its calls wait for the store. */
  PoolStore pools();

  /** Where a node may push to. */
  AllowList allowed();

  /** By which attempts are ended later. */
  CompletionTokens tokens();

  /** Pools that this node worked for a moment ago. */
  Set<PoolName> known();

  /** The endpoints of a pool as this node sees them, also those that it does not push to. */
  List<Sight> endpoints(PoolName name);

  /** Bytes for a new signing key, which nobody can guess. */
  byte[] newSecret();

  /** Has a change seen soon, on this node. */
  void poolsChanged();
}
