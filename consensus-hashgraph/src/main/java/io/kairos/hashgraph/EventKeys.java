package io.kairos.hashgraph;

import io.kairos.domain.replica.ReplicaId;

/** The key of this replica, and those by which it knows the others. Called on any thread. */
public interface EventKeys {
  int SIGNATURE_BYTES = 64;

  /** Signs the hash of an event of this replica. */
  byte[] sign(byte[] hash);

  /** True when the signature over the hash is by this replica of the cluster. */
  boolean verify(ReplicaId creator, byte[] hash, byte[] signature);
}
