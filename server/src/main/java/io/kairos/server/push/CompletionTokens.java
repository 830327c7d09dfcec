package io.kairos.server.push;

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
 * Tokens by which an attempt is ended after its request was answered: the task, its fence, and a
 * seal that only the nodes of this store can make. Any node understands them, and the fence makes
 * those of earlier attempts worthless. Thread-safe.
 */
public final class CompletionTokens {
  private static final String ALGORITHM = "HmacSHA256";
  private static final int TASK = 2 * Long.BYTES + Long.BYTES;
  private static final int SEAL = 16;

  private final byte[] secret;

  /**
   * @param secret of the store
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

  /** The attempt that a token is of; empty when it is none of ours. */
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
