package io.kairos.client;

import io.kairos.api.text.ProtoTime;
import io.kairos.api.text.ResourceText;
import io.kairos.api.v1.Idempotency;
import io.kairos.api.v1.RetryPolicy;
import io.kairos.api.v1.ScheduleTaskRequest;
import io.kairos.client.encryption.EncryptedPayloads;
import io.kairos.client.encryption.MessageEncryption;
import io.kairos.client.error.InvalidRequestException;
import io.kairos.client.task.TaskId;
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
 * Schedules tasks in the application's own transaction: the task is stored if and only if that
 * transaction commits. For applications whose tables are in the same Postgres database as the
 * nodes' tasks.
 *
 * <pre>{@code
 * connection.setAutoCommit(false);
 * placeOrder(connection, order);
 * TransactionalTasks.schedule(
 *     connection, TaskRequest.to("send-invoice").payload(order.id()).build());
 * connection.commit(); // the order and its task, or neither
 * }</pre>
 *
 * <p>The application's role needs {@code grant execute on function kairos_schedule}. Invalid tasks
 * are refused with an {@link SQLException}, after which the transaction must be rolled back, or
 * back to a savepoint. Its SQLState is 22023 when a field breaks a rule, 23505 when the idempotency
 * key is taken, and 53400 when the handler's quota of unfinished tasks is used up.
 */
public final class TransactionalTasks {
  private static final String SCHEDULE =
      ResourceText.of(TransactionalTasks.class, "transactional_schedule.sql");

  private TransactionalTasks() {}

  /**
   * Schedules a task in the transaction of a connection.
   *
   * @param connection connection of the transaction; the transaction is not committed here
   * @return id of the task, or of an earlier task with the same idempotency key
   * @throws IllegalStateException when the connection is in auto-commit mode
   * @throws InvalidRequestException when the task is for a pool or a topic or replaces another
   *     task; only nodes accept those
   */
  public static TaskId schedule(Connection connection, TaskRequest task) throws SQLException {
    return schedule(connection, task.wire());
  }

  /**
   * Schedules a task like {@link #schedule(Connection, TaskRequest)}, with its payload encrypted.
   */
  public static TaskId schedule(Connection connection, TaskRequest task, EncryptedPayloads payloads)
      throws SQLException {
    return schedule(connection, MessageEncryption.of(payloads).encrypted(task.wire()));
  }

  private static TaskId schedule(Connection connection, ScheduleTaskRequest wire)
      throws SQLException {
    if (connection.getAutoCommit()) {
      throw new IllegalStateException(
          "the task must be in one transaction with what belongs to it: switch auto-commit off");
    }
    if (wire.hasPool() || wire.hasTopic()) {
      throw new InvalidRequestException(
          wire.hasPool() ? "pool" : "topic",
          "must not be given in a transaction: schedule a task for a handler that schedules it");
    }
    if (!wire.getFairnessKey().isEmpty()) {
      throw new InvalidRequestException(
          "fairness_key",
          "must not be given in a transaction: schedule the task by a call, with an idempotency key");
    }
    if (wire.getLimitsCount() > 0) {
      throw new InvalidRequestException(
          "limits",
          "must not be given in a transaction: schedule the task by a call, with an idempotency key");
    }
    if (wire.getAfterCount() > 0) {
      throw new InvalidRequestException(
          "after", "must not be given in a transaction: schedule a task that schedules the others");
    }
    if (wire.getIdempotency().getOnConflict() == Idempotency.OnConflict.REPLACE) {
      throw new InvalidRequestException(
          "idempotency.on_conflict", "must not be REPLACE in a transaction");
    }
    Idempotency idempotency = wire.getIdempotency();
    if (idempotency.hasPeriod()
        || idempotency.hasMaxWait()
        || idempotency.getWindow() == Idempotency.Window.WHILE_WAITING) {
      throw new InvalidRequestException(
          "idempotency", "must be for a time, while unfinished or forever in a transaction");
    }
    try (PreparedStatement statement = connection.prepareStatement(SCHEDULE)) {
      bind(new Parameters(statement), wire);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return TaskId.of(Objects.requireNonNull(row.getString(1), "a task without an id"));
      }
    }
  }

  /** Binds parameters in the order of the statement. */
  private static void bind(Parameters parameters, ScheduleTaskRequest wire) throws SQLException {
    Idempotency idempotency = wire.getIdempotency();
    RetryPolicy retries = wire.getRetryPolicy();
    parameters.set(wire.getHandler(), Types.VARCHAR);
    parameters.set(wire.getPayload().toByteArray(), Types.BINARY);
    parameters.time(wire.hasRunAt() ? wire.getRunAt() : null);
    parameters.micros(wire.hasDelay() ? wire.getDelay() : null);
    parameters.set(wire.hasPriority() ? wire.getPriority() : 50, Types.INTEGER);
    parameters.textOrNull(wire.getKey());
    parameters.textOrNull(wire.getCollection());
    parameters.time(wire.hasStartDeadline() ? wire.getStartDeadline() : null);
    parameters.textOrNull(idempotency.getKey());
    parameters.textOrNull(idempotency.getWindow() == Idempotency.Window.FOREVER ? "forever" : "");
    parameters.micros(idempotency.hasDuration() ? idempotency.getDuration() : null);
    parameters.set(
        idempotency.getOnConflict() == Idempotency.OnConflict.ERROR ? "error" : "keep",
        Types.VARCHAR);
    parameters.micros(wire.hasExecutionTimeout() ? wire.getExecutionTimeout() : null);
    parameters.textOrNull(wire.getTraceparent());
    parameters.set(retries.getMaxAttempts() == 0 ? null : retries.getMaxAttempts(), Types.INTEGER);
    parameters.micros(retries.hasInitialBackoff() ? retries.getInitialBackoff() : null);
    parameters.set(retries.getFactor() == 0 ? null : retries.getFactor(), Types.DOUBLE);
    parameters.micros(retries.hasMaxBackoff() ? retries.getMaxBackoff() : null);
    parameters.micros(wire.hasRejectBeyond() ? wire.getRejectBeyond() : null);
  }

  /** Sets the parameters one after the other; null stands for fields that were left out. */
  private static final class Parameters {
    private static final int NANOS_PER_MICRO = 1_000;

    private final PreparedStatement statement;
    private int last;

    Parameters(PreparedStatement statement) {
      this.statement = statement;
    }

    void set(@Nullable Object value, int type) throws SQLException {
      statement.setObject(++last, value, type);
    }

    void textOrNull(String value) throws SQLException {
      set(value.isEmpty() ? null : value, Types.VARCHAR);
    }

    void micros(com.google.protobuf.@Nullable Duration value) throws SQLException {
      Long micros =
          value == null
              ? null
              : Math.addExact(
                  Math.multiplyExact(value.getSeconds(), 1_000_000L),
                  (value.getNanos() + NANOS_PER_MICRO - 1) / NANOS_PER_MICRO);
      set(micros, Types.BIGINT);
    }

    /** Rounds up to microseconds, so that the task is never early. */
    void time(com.google.protobuf.@Nullable Timestamp value) throws SQLException {
      OffsetDateTime time =
          value == null
              ? null
              : ProtoTime.of(value)
                  .plusNanos(NANOS_PER_MICRO - 1)
                  .truncatedTo(ChronoUnit.MICROS)
                  .atOffset(ZoneOffset.UTC);
      set(time, Types.TIMESTAMP_WITH_TIMEZONE);
    }
  }
}
