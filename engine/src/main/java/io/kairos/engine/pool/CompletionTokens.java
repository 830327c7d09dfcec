package io.kairos.engine.pool;

import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.TaskId;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Makes and reads tokens that end an attempt after its HTTP request was answered. A token holds the
 * task, its fence, and a signature that only the nodes of this store can make. Every node can read
 * tokens, and the fence invalidates tokens of earlier attempts. Thread-safe.
 */
public final class CompletionTokens {
  private static final String ALGORITHM = "HmacSHA256";
  private static final int TASK = 2 * Long.BYTES + Long.BYTES;
  private static final int SEAL = 16;

  private final byte[] secret;

  /**
   * @param secret the store's completion secret
   */
  public CompletionTokens(byte[] secret) {
    this.secret = secret.clone();
  }

  /** The token of an attempt. */
  public String of(FencedTask task) {
    UUID id = task.id().value();
    byte[] named =
        ByteBuffer.allocate(TASK)
            .putLong(id.getMostSignificantBits())
            .putLong(id.getLeastSignificantBits())
            .putLong(task.fence())
            .array();
    byte[] token = Arrays.copyOf(named, TASK + SEAL);
    System.arraycopy(seal(named), 0, token, TASK, SEAL);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(token);
  }

  /** The attempt of a token; empty for a token that no node of this store made. */
  public Optional<FencedTask> read(String text) {
    byte[] token;
    try {
      token = Base64.getUrlDecoder().decode(text);
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
    if (token.length != TASK + SEAL) {
      return Optional.empty();
    }
    byte[] named = Arrays.copyOf(token, TASK);
    byte[] seal = Arrays.copyOfRange(token, TASK, token.length);
    if (!MessageDigest.isEqual(seal, Arrays.copyOf(seal(named), SEAL))) {
      return Optional.empty();
    }
    ByteBuffer in = ByteBuffer.wrap(named);
    UUID id = new UUID(in.getLong(), in.getLong());
    return Optional.of(new FencedTask(new TaskId(id), in.getLong()));
  }

  private byte[] seal(byte[] named) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(secret, ALGORITHM));
      return mac.doFinal(named);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
    }
  }
}
