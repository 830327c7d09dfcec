package io.kairos.postgres.sql;

import java.sql.SQLException;

/**
 * The failure of a statement within a transaction or on a connection. {@link SqlDatabase} makes
 * {@link io.kairos.engine.node.StoreUnavailable} of it, with the name of the operation.
 */
public final class SqlFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final SQLException failure;

  SqlFailure(SQLException failure) {
    super(failure);
    this.failure = failure;
  }

  /** The exception of the driver. */
  public SQLException failure() {
    return failure;
  }
}
