package io.kairos.postgres;

/**
 * Tells that the database could lose acknowledged data, could not hold every id, or has the schema
 * of another build. Thrown at opening; the message names the fault and the remedy. A node must not
 * start on such a database.
 */
public class UnsafeStoreException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UnsafeStoreException(String message) {
    super(message);
  }
}
