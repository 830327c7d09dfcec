package io.kairos.engine.pool.port;

import io.kairos.domain.pool.EndpointUrl;
import io.kairos.domain.pool.Pool;
import io.kairos.domain.task.PoolName;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Where pools are kept. Every method is one atomic step and durable when it returns; any may throw
 * {@link io.kairos.engine.node.StoreUnavailable}, and then may have taken effect. Leases and keys
 * end by the store's clock. Thread-safe.
 */
public interface PoolStore {
  /** Most pools that there may be: every node reads all of them every second. */
  int MOST_POOLS = 1_000;

  /** What became of a pool that was to be created. */
  enum Created {
    YES,
    /** There is one of that name. */
    TAKEN,
    /** There are as many as there may be. */
    FULL
  }

  /**
   * Stores a new pool.
   *
   * @param secret of its first key
   */
  Created create(Pool pool, byte[] secret);

  Optional<StoredPool> find(PoolName name);

  /** All pools by name, for a node, which reads them again and again. */
  List<StoredPool> all();

  /**
   * Pools by name, for whoever calls.
   *
   * @param after only those whose name comes later; null from the first
   */
  List<StoredPool> list(@Nullable PoolName after, int limit);

  /**
   * Changes a definition.
   *
   * @param change of what is stored, within the transaction; must not change the name
   * @return empty when there is no such pool
   */
  Optional<StoredPool> update(PoolName name, UnaryOperator<Pool> change);

  /** False when there is no such pool. Its tasks stay, and wait for one of that name. */
  boolean delete(PoolName name);

  /** What became of an endpoint that a worker has said. */
  enum Registered {
    NEW,
    /** It was there already. */
    RENEWED,
    NO_POOL,
    /** The pool has endpoints of another kind. */
    OTHER_KIND,
    /** The pool has as many as it may have. */
    FULL
  }

  /** Adds an endpoint to a pool of registered ones, or begins its lease anew. */
  Registered register(PoolName name, EndpointUrl url, Duration lease);

  /** Takes an endpoint away before its lease ends. False when it is not there. */
  boolean unregister(PoolName name, EndpointUrl url);

  /**
   * Adds a key that signs from now on. The former one signs as well for the overlap; one that was
   * still being retired is forgotten.
   *
   * @return empty when there is no such pool
   */
  Optional<StoredPool> rotate(PoolName name, byte[] secret, Duration overlap);

  /**
   * The secret that completion tokens are made with, the same for all nodes and for ever.
   *
   * @param ifNone is stored when there is none
   */
  byte[] completionSecret(byte[] ifNone);
}
