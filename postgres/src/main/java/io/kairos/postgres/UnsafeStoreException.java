package io.kairos.postgres;

/**
 * The database could lose what it has acknowledged, or could not hold every id. Thrown at opening;
 * the message names the setting and the way out. A node must not start on it.
 */
public class UnsafeStoreException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UnsafeStoreException(String message) {
    super(message);
  }
}
