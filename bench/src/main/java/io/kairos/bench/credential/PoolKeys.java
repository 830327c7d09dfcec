package io.kairos.bench.credential;

import io.kairos.bench.load.BenchWait;
import io.kairos.bench.measure.BenchSql;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Base64;
import java.util.SplittableRandom;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** The keys by which nodes encrypt secrets of pools in the database. */
final class PoolKeys extends CredentialRotation {
  private static final String OTHERS =
      "select count(*) from http_pool_key where encrypted_with is distinct from ?";
  private static final int KEY_BYTES = 32;
  private static final SecureRandom SECURE = new SecureRandom();

  private final Connection database;
  private String id = "k0";
  private String line = line(id);

  /**
   * @param database for this rotation alone
   */
  PoolKeys(CredentialRun run, Connection database) {
    super(run, "encryption keys of pools", new ReentrantReadWriteLock());
    this.database = database;
    run.files.replace(CredentialFolder.POOL_KEYS, line);
  }

  private static String line(String id) {
    byte[] bytes = new byte[KEY_BYTES];
    SECURE.nextBytes(bytes);
    return id + ":" + Base64.getEncoder().encodeToString(bytes) + "\n";
  }

  /** True when all secrets are encrypted by the key. */
  private boolean isUsed() {
    try {
      return BenchSql.number(database, OTHERS, id) == 0;
    } catch (SQLException e) {
      throw new IllegalStateException("the secrets of pools cannot be read", e);
    }
  }

  @Override
  void replace() {
    String former = line;
    id = "k" + (replaced() + 1);
    line = line(id);
    run.files.replace(CredentialFolder.POOL_KEYS, former + line);
    BenchWait.pass(TWO_LOOKS);
    run.files.replace(CredentialFolder.POOL_KEYS, line + former);
    awaitOnAll("all secrets are encrypted by the new key", _ -> isUsed());
    BenchWait.pass(TWO_LOOKS); // until both nodes encrypt by it
    run.files.replace(CredentialFolder.POOL_KEYS, line);
  }

  @Override
  void spoil(SplittableRandom chance) {
    String other = line("other");
    switch (chance.nextInt(5)) {
      case 0 -> run.files.spoil(CredentialFolder.POOL_KEYS, other.substring(0, 20));
      case 1 -> run.files.spoil(CredentialFolder.POOL_KEYS, other + line + other);
      case 2 -> run.files.spoil(CredentialFolder.POOL_KEYS, "no key");
      case 3 -> run.files.spoil(CredentialFolder.POOL_KEYS, "");
      default -> run.files.remove(CredentialFolder.POOL_KEYS);
    }
    BenchWait.pass(TWO_LOOKS);
    require(isUsed(), "secrets are encrypted by a key of an unusable file");
    run.files.replace(CredentialFolder.POOL_KEYS, line);
  }
}
