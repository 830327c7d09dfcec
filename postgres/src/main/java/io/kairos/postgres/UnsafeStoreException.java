package io.kairos.postgres;

/**
 * The database could lose what it has acknowledged, could not hold every id, or has the schema of
 * another build. Thrown at opening; the message names what is wrong and the way out. A node must
 * not start on it.
 */
public class UnsafeStoreException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UnsafeStoreException(String message) {
    super(message);
  }
}
