package io.kairos.engine.pool.port;

import io.kairos.domain.pool.EndpointUrl;
import io.kairos.domain.pool.Pool;
import io.kairos.domain.task.queue.PoolName;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Stores pools. Every method is atomic, and durable when it returns. Every method may throw {@link
 * io.kairos.engine.node.StoreUnavailable} and may then have taken effect. The store's clock ends
 * keys, and leases but for {@link #all}. Thread-safe.
 */
public interface PoolStore {
  /** Most pools of one store, because every node reads all of them every second. */
  int MOST_POOLS = 1_000;

  /**
   * How long after the end of its lease an endpoint is kept while there is room. A step of the
   * store's clock by less removes none.
   */
  Duration ENDED_KEPT = Duration.ofHours(1);

  /** The result of creating a pool. */
  enum Created {
    YES,
    /** Another pool has the name. */
    TAKEN,
    /** There are {@link #MOST_POOLS} pools. */
    FULL
  }

  /**
   * Stores a new pool.
   *
   * @param secret the secret of its first signing key
   * @throws OlderNodesRun when nodes run that may not know its routing, its credentials or the
   *     encryption of its secret
   */
  Created create(Pool pool, byte[] secret);

  /** Throws {@link UnreadablePool}. */
  Optional<StoredPool> find(PoolName name);

  /**
   * All pools in the order of names, for nodes, which read them regularly.
   *
   * @param believedMicros a registered endpoint is left out when its lease has ended by this time
   *     as well as by the store's clock, see {@link io.kairos.engine.node.LeaseClock}; empty for
   *     the store's clock alone
   * @param unreadable hears of pools that this version cannot read, and of the reason; they are
   *     left out
   */
  List<StoredPool> all(
      OptionalLong believedMicros, BiConsumer<PoolName, RuntimeException> unreadable);

  /**
   * Lists pools in the order of names, for callers of the API.
   *
   * @param after lists only names that follow; null for the first
   * @param limit maximum number of pools, unreadable ones included
   * @param unreadable as for {@link #all}
   */
  List<StoredPool> list(
      @Nullable PoolName after, int limit, BiConsumer<PoolName, RuntimeException> unreadable);

  /**
   * Changes a definition. Throws {@link UnreadablePool}.
   *
   * @param change computes the new definition within the transaction; must not change the name
   * @return empty when there is no such pool
   * @throws OlderNodesRun when it changes the routing to one that nodes which run may not know, or
   *     names credentials while such nodes run
   */
  Optional<StoredPool> update(PoolName name, UnaryOperator<Pool> change);

  /**
   * Deletes a pool; false when there is no such pool. Its tasks stay and wait for a new pool with
   * this name.
   */
  boolean delete(PoolName name);

  /** The result of registering an endpoint. */
  enum Registered {
    NEW,
    /** The endpoint was registered already, and its lease is renewed. */
    RENEWED,
    NO_POOL,
    /** The pool has endpoints of another kind. */
    OTHER_KIND,
    /** The pool has {@link Pool#tls}, and the URL is not https. */
    NEEDS_TLS,
    /** The pool has as many endpoints as it may have. */
    FULL
  }

  /** Adds an endpoint to a pool with registered endpoints, or renews its lease. */
  Registered register(PoolName name, EndpointUrl url, Duration lease);

  /** Removes an endpoint before its lease ends. False when the endpoint is not registered. */
  boolean unregister(PoolName name, EndpointUrl url);

  /**
   * Adds a signing key. The former key also signs for the overlap; an older key that was still
   * being retired is deleted.
   *
   * @return empty when there is no such pool
   * @throws OlderNodesRun when nodes run that may not know the encryption of its secret
   */
  Optional<StoredPool> rotate(PoolName name, byte[] secret, Duration overlap);

  /**
   * Encrypts the secrets of signing keys that are not encrypted with the first of this node's
   * {@link io.kairos.engine.pool.secret.SecretKeys}, in small transactions. Leaves out those that
   * it cannot decrypt. Does nothing without keys.
   *
   * @return how many it has encrypted; empty when it has stopped because nodes run that may not
   *     know the encryption
   */
  OptionalInt encryptSecrets();

  /**
   * The secret of completion tokens, equal on all nodes; it never changes.
   *
   * @param ifNone secret to store when there is none
   */
  byte[] completionSecret(byte[] ifNone);
}
