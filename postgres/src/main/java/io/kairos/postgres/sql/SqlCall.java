package io.kairos.postgres.sql;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One execution of a {@link SqlStatement}, by one thread. The caller sets the parameters, then
 * calls one of the methods that run the statement; no resource stays open. On a connection a
 * failure is a {@link SqlFailure}; {@link SqlDatabase} says how its calls fail.
 */
public final class SqlCall {
  private final SqlStatement sql;
  private final Runner runner;
  private final @Nullable Setter[] setters;

  /** Gives the work a connection, and handles its failure. */
  interface Runner {
    <T extends @Nullable Object> T run(SqlDatabase.Work<T> work);
  }

  SqlCall(SqlStatement sql, Runner runner) {
    this.sql = sql;
    this.runner = runner;
    this.setters = new Setter[sql.parameters().size()];
  }

  public SqlCall with(String name, int value) {
    return set(name, (statement, index) -> statement.setInt(index, value));
  }

  public SqlCall with(String name, long value) {
    return set(name, (statement, index) -> statement.setLong(index, value));
  }

  public SqlCall with(String name, double value) {
    return set(name, (statement, index) -> statement.setDouble(index, value));
  }

  public SqlCall with(String name, @Nullable Long value) {
    return set(name, (statement, index) -> statement.setObject(index, value, Types.BIGINT));
  }

  public SqlCall with(String name, boolean value) {
    return set(name, (statement, index) -> statement.setBoolean(index, value));
  }

  /** Sets a number, or null where the schema allows it. */
  public SqlCall withOptional(String name, @Nullable Number value) {
    return set(name, (statement, index) -> statement.setObject(index, value));
  }

  public SqlCall withNulls(String... names) {
    for (String name : names) {
      withOptional(name, null);
    }
    return this;
  }

  public SqlCall with(String name, @Nullable String value) {
    return set(name, (statement, index) -> statement.setString(index, value));
  }

  /** Sets the text of a value, or null. */
  public <V> SqlCall with(String name, @Nullable V value, Function<V, String> text) {
    return with(name, value == null ? null : text.apply(value));
  }

  public SqlCall with(String name, @Nullable UUID value) {
    return set(name, (statement, index) -> statement.setObject(index, value));
  }

  public SqlCall with(String name, byte @Nullable [] value) {
    return set(name, (statement, index) -> statement.setBytes(index, value));
  }

  public SqlCall with(String name, BinaryArray value) {
    return set(name, (statement, index) -> statement.setObject(index, value));
  }

  /** Runs the statement; returns how many rows it changed. */
  public int update() {
    return run(PreparedStatement::executeUpdate);
  }

  /** Runs a statement whose result does not matter, such as a lock or a setting. */
  public void execute() {
    run(PreparedStatement::execute);
  }

  /** Reads a value from one row. */
  @FunctionalInterface
  public interface Reader<T extends @Nullable Object> {
    T read(ResultSet row) throws SQLException;
  }

  /** Handles one row. */
  @FunctionalInterface
  public interface RowWork {
    void on(ResultSet row) throws SQLException;
  }

  /** Runs the statement and handles each row. */
  public void each(RowWork work) {
    read(rows -> {
      while (rows.next()) {
        work.on(rows);
      }
      return null;
    });
  }

  /** Runs the statement and returns all rows, in order. */
  public <T> List<T> list(Reader<T> reader) {
    List<T> all = new ArrayList<>();
    each(row -> all.add(reader.read(row)));
    return all;
  }

  public <T> Set<T> set(Reader<T> reader) {
    Set<T> all = new HashSet<>();
    each(row -> all.add(reader.read(row)));
    return all;
  }

  public <K, V extends @Nullable Object> Map<K, V> map(Reader<K> key, Reader<V> value) {
    Map<K, V> all = new HashMap<>();
    each(row -> all.put(key.read(row), value.read(row)));
    return all;
  }

  /** Runs the statement and returns its first row, if there is one. */
  public <T> Optional<T> optional(Reader<T> reader) {
    return read(rows -> rows.next() ? Optional.of(reader.read(rows)) : Optional.empty());
  }

  /** Runs the statement and returns true if it has a row. */
  public boolean any() {
    return read(ResultSet::next);
  }

  /** Runs a statement that always returns a row, and returns it. */
  public <T extends @Nullable Object> T one(Reader<T> reader) {
    return read(rows -> {
      rows.next();
      return reader.read(rows);
    });
  }

  /** Runs the statement; its result is open while it is read. */
  private <T extends @Nullable Object> T read(Reader<T> reader) {
    return run(statement -> {
      try (ResultSet rows = statement.executeQuery()) {
        return reader.read(rows);
      }
    });
  }

  /** The driver refuses to run a statement without one of its parameters. */
  private <T extends @Nullable Object> T run(Execution<T> execution) {
    return runner.run(connection -> {
      try (PreparedStatement statement = connection.prepareStatement(sql.text())) {
        for (int i = 0; i < setters.length; i++) {
          Setter setter = setters[i];
          if (setter != null) {
            setter.set(statement, i + 1);
          }
        }
        return execution.of(statement);
      }
    });
  }

  private SqlCall set(String name, Setter setter) {
    List<String> parameters = sql.parameters();
    boolean found = false;
    for (int i = 0; i < setters.length; i++) {
      if (parameters.get(i).equals(name)) {
        setters[i] = setter;
        found = true;
      }
    }
    if (!found) {
      throw new IllegalArgumentException(sql.name() + " has no parameter :" + name);
    }
    return this;
  }

  private interface Setter {
    void set(PreparedStatement statement, int index) throws SQLException;
  }

  private interface Execution<T extends @Nullable Object> {
    T of(PreparedStatement statement) throws SQLException;
  }
}
