package io.kairos.api.tls;

/**
 * A file of TLS cannot be used. The message names the setting and the file and says what to do; it
 * never holds anything of a private key.
 */
public final class UnusableTlsException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  UnusableTlsException(String message) {
    super(message);
  }

  UnusableTlsException(String message, Exception cause) {
    super(message, cause);
  }

  /** The same for a file that could not be read. */
  static UnusableTlsException of(IllegalArgumentException why) {
    return why instanceof UnusableTlsException already
        ? already
        : new UnusableTlsException(String.valueOf(why.getMessage()), why);
  }
}
