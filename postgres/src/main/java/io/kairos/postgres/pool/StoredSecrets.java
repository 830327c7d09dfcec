package io.kairos.postgres.pool;

import io.kairos.domain.task.queue.PoolName;
import io.kairos.engine.pool.secret.SecretKeys;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The secrets of signing keys as their rows have them: as they are, or encrypted for their row.
 *
 * @param keys the node's keys when a call began
 */
record StoredSecrets(SecretKeys keys) {
  /** The id of the key that encrypts; empty when secrets are stored as they are. */
  Optional<String> first() {
    return keys.first();
  }

  byte[] encrypt(PoolName pool, long row, byte[] secret) {
    return keys.encrypt(secret, associatedData(pool.value(), row));
  }

  /**
   * The secret of a row; throws {@link IllegalArgumentException} when it cannot be decrypted.
   *
   * @param encryptedWith empty for a secret that is stored as it is
   */
  byte[] read(PoolName pool, long row, byte[] stored, String encryptedWith) {
    return encryptedWith.isEmpty()
        ? stored
        : keys.decrypt(encryptedWith, stored, associatedData(pool.value(), row));
  }

  /** Names the row, so that a secret that is copied to another row or pool cannot be decrypted. */
  private static byte[] associatedData(String pool, long row) {
    byte[] name = pool.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(Long.BYTES + name.length).putLong(row).put(name).array();
  }
}
