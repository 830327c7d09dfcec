package io.kairos.postgres.sql;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One execution (or one batch) of a {@link Sql} on one connection, by one thread. Closing it closes
 * its result as well.
 */
public final class Call implements AutoCloseable {
  private final Sql sql;
  private final PreparedStatement statement;
  private boolean batched;

  Call(Sql sql, PreparedStatement statement) {
    this.sql = sql;
    this.statement = statement;
  }

  public Call with(String name, int value) throws SQLException {
    return set(name, index -> statement.setInt(index, value));
  }

  public Call with(String name, long value) throws SQLException {
    return set(name, index -> statement.setLong(index, value));
  }

  public Call with(String name, double value) throws SQLException {
    return set(name, index -> statement.setDouble(index, value));
  }

  public Call with(String name, @Nullable Long value) throws SQLException {
    return set(
        name,
        index -> {
          if (value == null) {
            statement.setNull(index, Types.BIGINT);
          } else {
            statement.setLong(index, value);
          }
        });
  }

  public Call with(String name, boolean value) throws SQLException {
    return set(name, index -> statement.setBoolean(index, value));
  }

  /** A number, or null where the schema allows it. */
  public Call withOptional(String name, @Nullable Number value) throws SQLException {
    return set(name, index -> statement.setObject(index, value));
  }

  public Call with(String name, @Nullable String value) throws SQLException {
    return set(name, index -> statement.setString(index, value));
  }

  public Call with(String name, @Nullable UUID value) throws SQLException {
    return set(
        name,
        index -> {
          if (value == null) {
            statement.setNull(index, Types.OTHER, "uuid");
          } else {
            statement.setObject(index, value);
          }
        });
  }

  public Call with(String name, byte @Nullable [] value) throws SQLException {
    return set(name, index -> statement.setBytes(index, value));
  }

  public Call with(String name, BinaryArray value) throws SQLException {
    return set(name, index -> statement.setObject(index, value));
  }

  /** How many rows the statement changed. */
  public int update() throws SQLException {
    return statement.executeUpdate();
  }

  /** Keeps the parameters for {@link #runBatch} and takes new ones. */
  public void addToBatch() throws SQLException {
    batched = true;
    statement.addBatch();
  }

  /** Runs the statement once for each kept set of parameters, without waiting in between. */
  public void runBatch() throws SQLException {
    if (batched) {
      statement.executeBatch();
    }
  }

  public ResultSet query() throws SQLException {
    return statement.executeQuery();
  }

  private Call set(String name, Setter setter) throws SQLException {
    List<String> parameters = sql.parameters();
    boolean found = false;
    for (int i = 0; i < parameters.size(); i++) {
      if (parameters.get(i).equals(name)) {
        setter.setAt(i + 1);
        found = true;
      }
    }
    if (!found) {
      throw new IllegalArgumentException(sql + " has no parameter :" + name);
    }
    return this;
  }

  @Override
  public void close() throws SQLException {
    statement.close();
  }

  private interface Setter {
    void setAt(int index) throws SQLException;
  }
}
