package io.kairos.api.push;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A secret that sender and receiver share, in the form of Standard Webhooks: {@code whsec_} and 24
 * to 64 bytes in base64. Signs {@code id.timestamp.body}, the exact bytes, by HMAC-SHA256.
 * Thread-safe. {@link #toString} does not show the secret.
 */
public final class SigningSecret {
  /** Format of a secret, for messages. */
  public static final String RULE = "whsec_ and 24 to 64 bytes in base64";

  private static final String PREFIX = "whsec_";
  private static final String VERSION = "v1,";
  private static final int SHORTEST = 24;
  private static final int LONGEST = 64;
  private static final String ALGORITHM = "HmacSHA256";

  private final byte[] key;

  private SigningSecret(byte[] key) {
    if (key.length < SHORTEST || key.length > LONGEST) {
      throw new IllegalArgumentException("a signing secret has " + RULE);
    }
    this.key = key;
  }

  /**
   * Parses a secret. Throws {@link IllegalArgumentException} when the text breaks {@link #RULE}.
   */
  public static SigningSecret of(String text) {
    if (!text.startsWith(PREFIX)) {
      throw new IllegalArgumentException("a signing secret has " + RULE);
    }
    try {
      return new SigningSecret(Base64.getDecoder().decode(text.substring(PREFIX.length())));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("a signing secret has " + RULE, e);
    }
  }

  /** Returns a secret of these bytes, which must be random. */
  public static SigningSecret ofBytes(byte[] random) {
    return new SigningSecret(random.clone());
  }

  /** Returns the secret as text. */
  public String text() {
    return PREFIX + Base64.getEncoder().encodeToString(key);
  }

  /**
   * Returns a signature as it is in the header.
   *
   * @param id id of the message, without a dot
   */
  public String sign(String id, long timestampSeconds, byte[] body) {
    return VERSION + Base64.getEncoder().encodeToString(mac(id, timestampSeconds, body));
  }

  /** True when this secret made one of the signatures of a header; compares in constant time. */
  public boolean hasSigned(String signatures, String id, long timestampSeconds, byte[] body) {
    byte[] right = sign(id, timestampSeconds, body).getBytes(StandardCharsets.UTF_8);
    boolean found = false;
    for (String one : signatures.split(" ", -1)) {
      found |= MessageDigest.isEqual(right, one.getBytes(StandardCharsets.UTF_8));
    }
    return found;
  }

  private byte[] mac(String id, long timestampSeconds, byte[] body) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
      mac.update((id + "." + timestampSeconds + ".").getBytes(StandardCharsets.UTF_8));
      return mac.doFinal(body);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
    }
  }

  @Override
  public String toString() {
    return "a signing secret";
  }
}
