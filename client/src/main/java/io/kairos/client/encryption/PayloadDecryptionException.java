package io.kairos.client.encryption;

import io.kairos.client.error.KairosException;
import org.jspecify.annotations.Nullable;

/**
 * A payload or a result cannot be decrypted. The message names the key, never the content. In a
 * worker it ends the attempt: {@link Reason#TAMPERED} for good, the others with a retry, because
 * another worker may have the key or be newer.
 */
public final class PayloadDecryptionException extends KairosException {
  private static final long serialVersionUID = 1;

  private final Reason reason;

  PayloadDecryptionException(Reason reason, String message) {
    this(reason, message, null);
  }

  PayloadDecryptionException(Reason reason, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  /** Why the content cannot be decrypted. */
  public enum Reason {
    /** The key that it names is not among the keys of this process. */
    UNKNOWN_KEY,
    /** It is not encrypted, and this process does not accept plain text. */
    NOT_ENCRYPTED,
    /** A later version of the client has encrypted it. */
    UNKNOWN_VERSION,
    /** It was changed after its encryption, or was encrypted for another handler or task. */
    TAMPERED
  }

  public Reason reason() {
    return reason;
  }

  static PayloadDecryptionException tampered(String keyId, @Nullable Throwable cause) {
    return new PayloadDecryptionException(
        Reason.TAMPERED,
        "it was changed after its encryption with the key "
            + keyId
            + ", or encrypted for another handler or task",
        cause);
  }

  static PayloadDecryptionException damaged() {
    return new PayloadDecryptionException(
        Reason.TAMPERED, "the header of its encryption was changed");
  }
}
