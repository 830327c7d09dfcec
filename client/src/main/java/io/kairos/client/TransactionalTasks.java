package io.kairos.client;

import io.kairos.api.v1.Idempotency;
import io.kairos.api.v1.RetryPolicy;
import io.kairos.api.v1.ScheduleRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Schedules tasks in the application's own transaction: a task is there if and only if that
 * transaction commits. For applications whose tables are in the Postgres database that the nodes
 * keep their tasks in.
 *
 * <pre>{@code
 * connection.setAutoCommit(false);
 * placeOrder(connection, order);
 * TransactionalTasks.schedule(
 *     connection, TaskRequest.to("send-invoice").payload(order.id()).build());
 * connection.commit(); // the order and its task, or neither
 * }</pre>
 *
 * <p>The application's role needs {@code grant execute on function kairos_schedule}. What is wrong
 * with a task comes as an {@link SQLException}, by whose SQLState the transaction must be rolled
 * back or go on from a savepoint: 22023 a field breaks a rule, 23505 its idempotency key is taken,
 * 53400 its handler has as many unfinished tasks as it may have.
 */
public final class TransactionalTasks {
  private static final String SCHEDULE = read("transactional_schedule.sql");

  private TransactionalTasks() {}

  /**
   * The task's id; that of a former one with the same idempotency key, if there is one.
   *
   * @param connection whose transaction it is; not committed here
   * @throws IllegalStateException when each statement is its own transaction, which binds the task
   *     to nothing
   * @throws InvalidRequestException when the task is to replace another, or is for a pool or a
   *     topic, which can only be asked of a node
   */
  public static TaskId schedule(Connection connection, TaskRequest task) throws SQLException {
    if (connection.getAutoCommit()) {
      throw new IllegalStateException(
          "the task must be in one transaction with what belongs to it: switch auto-commit off");
    }
    ScheduleRequest wire = task.wire();
    if (wire.hasPool() || wire.hasTopic()) {
      throw new InvalidRequestException(
          wire.hasPool() ? "pool" : "topic",
          "must not be given in a transaction: schedule a task for a handler that schedules it");
    }
    if (wire.getIdempotency().getOnConflict() == Idempotency.OnConflict.REPLACE) {
      throw new InvalidRequestException(
          "idempotency.on_conflict", "must not be REPLACE in a transaction");
    }
    try (PreparedStatement statement = connection.prepareStatement(SCHEDULE)) {
      bind(new Parameters(statement), wire);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return TaskId.of(Objects.requireNonNull(row.getString(1), "a task without an id"));
      }
    }
  }

  /** In the order of the statement. */
  private static void bind(Parameters parameters, ScheduleRequest wire) throws SQLException {
    Idempotency idempotency = wire.getIdempotency();
    RetryPolicy retries = wire.getRetryPolicy();
    parameters.text(wire.getHandler());
    parameters.bytes(wire.getPayload().toByteArray());
    parameters.time(wire.hasRunAt() ? wire.getRunAt() : null);
    parameters.micros(wire.hasDelay() ? wire.getDelay() : null);
    parameters.number(wire.hasPriority() ? wire.getPriority() : 50);
    parameters.textOrNull(wire.getKey());
    parameters.textOrNull(wire.getCollection());
    parameters.time(wire.hasStartDeadline() ? wire.getStartDeadline() : null);
    parameters.textOrNull(idempotency.getKey());
    parameters.textOrNull(idempotency.getWindow() == Idempotency.Window.FOREVER ? "forever" : "");
    parameters.micros(idempotency.hasDuration() ? idempotency.getDuration() : null);
    parameters.text(idempotency.getOnConflict() == Idempotency.OnConflict.ERROR ? "error" : "keep");
    parameters.micros(wire.hasExecutionTimeout() ? wire.getExecutionTimeout() : null);
    parameters.textOrNull(wire.getTraceparent());
    parameters.number(retries.getMaxAttempts() == 0 ? null : retries.getMaxAttempts());
    parameters.micros(retries.hasInitialBackoff() ? retries.getInitialBackoff() : null);
    parameters.fraction(retries.getFactor() == 0 ? null : retries.getFactor());
    parameters.micros(retries.hasMaxBackoff() ? retries.getMaxBackoff() : null);
  }

  /** Sets one after the other; null is what was left out. */
  private static final class Parameters {
    private static final int NANOS_PER_MICRO = 1_000;

    private final PreparedStatement statement;
    private int last;

    Parameters(PreparedStatement statement) {
      this.statement = statement;
    }

    void text(String value) throws SQLException {
      statement.setString(++last, value);
    }

    void textOrNull(String value) throws SQLException {
      statement.setString(++last, value.isEmpty() ? null : value);
    }

    void bytes(byte[] value) throws SQLException {
      statement.setBytes(++last, value);
    }

    void number(@Nullable Integer value) throws SQLException {
      statement.setObject(++last, value, Types.INTEGER);
    }

    void fraction(@Nullable Double value) throws SQLException {
      statement.setObject(++last, value, Types.DOUBLE);
    }

    void micros(com.google.protobuf.@Nullable Duration value) throws SQLException {
      Long micros =
          value == null
              ? null
              : Math.addExact(
                  Math.multiplyExact(value.getSeconds(), 1_000_000L),
                  (value.getNanos() + NANOS_PER_MICRO - 1) / NANOS_PER_MICRO);
      statement.setObject(++last, micros, Types.BIGINT);
    }

    /** What lies between two microseconds counts as the later: never early. */
    void time(com.google.protobuf.@Nullable Timestamp value) throws SQLException {
      OffsetDateTime time =
          value == null
              ? null
              : Protos.instant(value)
                  .plusNanos(NANOS_PER_MICRO - 1)
                  .truncatedTo(ChronoUnit.MICROS)
                  .atOffset(ZoneOffset.UTC);
      statement.setObject(++last, time, Types.TIMESTAMP_WITH_TIMEZONE);
    }
  }

  private static String read(String file) {
    try (InputStream in = TransactionalTasks.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException(file + " is missing in the jar");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
