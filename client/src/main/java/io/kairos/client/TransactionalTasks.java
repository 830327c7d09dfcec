package io.kairos.client;

import com.google.protobuf.Descriptors.FieldDescriptor;
import io.kairos.api.text.ProtoTime;
import io.kairos.api.text.ResourceText;
import io.kairos.api.v1.Idempotency;
import io.kairos.api.v1.PoolTarget;
import io.kairos.api.v1.Predecessor;
import io.kairos.api.v1.RetryPolicy;
import io.kairos.api.v1.ScheduleTaskRequest;
import io.kairos.api.v1.Topic;
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
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Schedules tasks, and messages for topics, in the application's own transaction: they are stored
 * if and only if that transaction commits. For applications whose tables are in the same Postgres
 * database as the nodes' tasks.
 *
 * <pre>{@code
 * connection.setAutoCommit(false);
 * placeOrder(connection, order);
 * TransactionalTasks.schedule(
 *     connection, TaskRequest.to("send-invoice").payload(order.id()).build());
 * connection.commit(); // the order and its task, or neither
 * }</pre>
 *
 * <p>The application's role needs {@code grant execute on function kairos_schedule}, and for topics
 * {@code kairos_publish}. Invalid tasks are refused with an {@link SQLException}, after which the
 * transaction must be rolled back, or back to a savepoint. Its SQLState is 22023 when a field
 * breaks a rule, 23505 when the idempotency key is taken, 53400 when the handler's quota of
 * unfinished tasks is used up, and 42883 when no node has brought the database to the version that
 * the task needs.
 */
public final class TransactionalTasks {
  private static final String SCHEDULE =
      ResourceText.of(TransactionalTasks.class, "transactional_schedule.sql");
  private static final String SCHEDULE_20 =
      ResourceText.of(TransactionalTasks.class, "transactional_schedule_20.sql");
  private static final String PUBLISH =
      ResourceText.of(TransactionalTasks.class, "transactional_publish.sql");

  private static final String UNDEFINED_FUNCTION = "42883";

  private static final Set<Integer> FIELDS_OF_MESSAGES =
      Set.of(
          ScheduleTaskRequest.TOPIC_FIELD_NUMBER,
          ScheduleTaskRequest.PAYLOAD_FIELD_NUMBER,
          ScheduleTaskRequest.RUN_AT_FIELD_NUMBER,
          ScheduleTaskRequest.DELAY_FIELD_NUMBER,
          ScheduleTaskRequest.TRACEPARENT_FIELD_NUMBER,
          ScheduleTaskRequest.IDEMPOTENCY_FIELD_NUMBER);

  /** Fields that the function takes since version 20 of the schema. */
  private static final Set<Integer> FIELDS_SINCE_20 =
      Set.of(
          ScheduleTaskRequest.FAIRNESS_KEY_FIELD_NUMBER,
          ScheduleTaskRequest.FAIRNESS_WEIGHT_FIELD_NUMBER,
          ScheduleTaskRequest.AFTER_FIELD_NUMBER,
          ScheduleTaskRequest.POOL_FIELD_NUMBER);

  private static final Set<Integer> FIELDS =
      Set.of(
          ScheduleTaskRequest.HANDLER_FIELD_NUMBER,
          ScheduleTaskRequest.PRIORITY_FIELD_NUMBER,
          ScheduleTaskRequest.RUN_AT_FIELD_NUMBER,
          ScheduleTaskRequest.DELAY_FIELD_NUMBER,
          ScheduleTaskRequest.PAYLOAD_FIELD_NUMBER,
          ScheduleTaskRequest.RETRY_POLICY_FIELD_NUMBER,
          ScheduleTaskRequest.EXECUTION_TIMEOUT_FIELD_NUMBER,
          ScheduleTaskRequest.TRACEPARENT_FIELD_NUMBER,
          ScheduleTaskRequest.KEY_FIELD_NUMBER,
          ScheduleTaskRequest.COLLECTION_FIELD_NUMBER,
          ScheduleTaskRequest.START_DEADLINE_FIELD_NUMBER,
          ScheduleTaskRequest.IDEMPOTENCY_FIELD_NUMBER,
          ScheduleTaskRequest.REJECT_BEYOND_FIELD_NUMBER);

  private TransactionalTasks() {}

  /**
   * Schedules a task, or a message for a topic, in the transaction of a connection.
   *
   * @param connection connection of the transaction; the transaction is not committed here
   * @return id of the task or message, or of an earlier one with the same idempotency key
   * @throws IllegalStateException when the connection is in auto-commit mode
   * @throws InvalidRequestException when the task has a field that only nodes accept, waits for a
   *     batch, or would replace another task; the transaction can go on
   */
  public static TaskId schedule(Connection connection, TaskRequest task) throws SQLException {
    return schedule(connection, task, MessageEncryption.NONE);
  }

  /**
   * Schedules a task like {@link #schedule(Connection, TaskRequest)}, with its payload encrypted.
   */
  public static TaskId schedule(Connection connection, TaskRequest task, EncryptedPayloads payloads)
      throws SQLException {
    return schedule(connection, task, MessageEncryption.of(payloads));
  }

  /**
   * Schedules tasks and messages in the transaction of a connection, one by one, those that others
   * wait for before these: a {@linkplain Graph graph} for instance.
   *
   * @return their ids, in the order of the tasks
   * @throws IllegalStateException as {@link #schedule(Connection, TaskRequest)}
   * @throws InvalidRequestException as that, and when tasks wait for each other in a cycle; the
   *     tasks before the one that is refused may have been scheduled
   */
  public static List<TaskId> scheduleAll(Connection connection, List<TaskRequest> tasks)
      throws SQLException {
    return scheduleAll(connection, tasks, MessageEncryption.NONE);
  }

  /** Schedules tasks like {@link #scheduleAll(Connection, List)}, with their payloads encrypted. */
  public static List<TaskId> scheduleAll(
      Connection connection, List<TaskRequest> tasks, EncryptedPayloads payloads)
      throws SQLException {
    return scheduleAll(connection, tasks, MessageEncryption.of(payloads));
  }

  private static TaskId schedule(
      Connection connection, TaskRequest task, MessageEncryption encryption) throws SQLException {
    requireTransaction(connection);
    if (task.wire().getAfterList().stream().anyMatch(Predecessor::hasIndex)) {
      throw new InvalidRequestException("after", "must name tasks by their ids: this is no graph");
    }
    return store(connection, encryption.encrypted(task.wire()));
  }

  private static List<TaskId> scheduleAll(
      Connection connection, List<TaskRequest> tasks, MessageEncryption encryption)
      throws SQLException {
    requireTransaction(connection);
    List<ScheduleTaskRequest> wires =
        tasks.stream().map(TaskRequest::wire).collect(Collectors.toList());
    TaskId[] ids = new TaskId[wires.size()];
    for (int i : GraphOrder.of(wires)) {
      ScheduleTaskRequest.Builder wire = wires.get(i).toBuilder();
      for (Predecessor.Builder predecessor : wire.getAfterBuilderList()) {
        if (predecessor.hasIndex()) {
          predecessor.setId(String.valueOf(ids[predecessor.getIndex()])).clearIndex();
        }
      }
      ids[i] = store(connection, encryption.encrypted(wire.build()));
    }
    return List.of(ids);
  }

  private static void requireTransaction(Connection connection) throws SQLException {
    if (connection.getAutoCommit()) {
      throw new IllegalStateException(
          "the task must be in one transaction with what belongs to it: switch auto-commit off");
    }
  }

  private static TaskId store(Connection connection, ScheduleTaskRequest wire) throws SQLException {
    boolean isMessage = wire.hasTopic();
    boolean isSince20 = false;
    for (FieldDescriptor field : wire.getAllFields().keySet()) {
      int number = field.getNumber();
      if (isMessage && !FIELDS_OF_MESSAGES.contains(number)) {
        throw new InvalidRequestException(field.getName(), "must not be given together with topic");
      }
      if (!isMessage && !FIELDS.contains(number) && !FIELDS_SINCE_20.contains(number)) {
        throw new InvalidRequestException(
            field.getName(),
            "must not be given in a transaction: schedule the task by a call, with an idempotency"
                + " key");
      }
      isSince20 |= FIELDS_SINCE_20.contains(number);
    }
    if (wire.getAfterList().stream().anyMatch(predecessor -> !predecessor.getBatch().isEmpty())) {
      throw new InvalidRequestException(
          "after.batch",
          "must not be given in a transaction: schedule the task by a call, or name tasks");
    }
    requireIdempotency(wire);
    String sql = isMessage ? PUBLISH : isSince20 ? SCHEDULE_20 : SCHEDULE;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      Parameters parameters = new Parameters(statement);
      if (isMessage) {
        bindMessage(parameters, wire);
      } else {
        bind(parameters, wire);
        if (isSince20) {
          bindSince20(parameters, wire);
        }
      }
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return TaskId.of(Objects.requireNonNull(row.getString(1), "a task without an id"));
      }
    } catch (SQLException e) {
      throw UNDEFINED_FUNCTION.equals(e.getSQLState()) ? older(e, isMessage) : e;
    }
  }

  private static SQLException older(SQLException cause, boolean isMessage) {
    return new SQLException(
        (isMessage
                ? "the database has no function kairos_publish"
                : "the database's function kairos_schedule is older than this client, or absent")
            + " on the search path: start a node that brings the schema to version 20 or later, and"
            + " see what select kairos_sql_version() returns",
        UNDEFINED_FUNCTION,
        cause);
  }

  private static void requireIdempotency(ScheduleTaskRequest wire) {
    Idempotency idempotency = wire.getIdempotency();
    if (wire.hasTopic()) {
      if (!idempotency.equals(Idempotency.newBuilder().setKey(idempotency.getKey()).build())) {
        throw new InvalidRequestException(
            "idempotency", "must be a key and nothing else, together with topic");
      }
      return;
    }
    if (idempotency.getOnConflict() == Idempotency.OnConflict.REPLACE || idempotency.hasMaxWait()) {
      throw new InvalidRequestException(
          "idempotency.on_conflict",
          "must not be REPLACE in a transaction: the waiting task could begin before it commits");
    }
    if (idempotency.getWindow() == Idempotency.Window.WHILE_WAITING) {
      throw new InvalidRequestException(
          "idempotency.window",
          "must not be WHILE_WAITING in a transaction: the waiting task could begin before it"
              + " commits");
    }
    if (idempotency.hasPeriod()) {
      throw new InvalidRequestException(
          "idempotency.period", "must not be given in a transaction: give a duration");
    }
  }

  /** Binds parameters in the order of the statement. */
  private static void bind(Parameters parameters, ScheduleTaskRequest wire) throws SQLException {
    Idempotency idempotency = wire.getIdempotency();
    RetryPolicy retries = wire.getRetryPolicy();
    if (wire.hasPool()) {
      parameters.textOrNull(wire.getHandler());
    } else {
      parameters.set(wire.getHandler(), Types.VARCHAR);
    }
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

  private static void bindSince20(Parameters parameters, ScheduleTaskRequest wire)
      throws SQLException {
    parameters.textOrNull(wire.getFairnessKey());
    parameters.set(wire.hasFairnessWeight() ? wire.getFairnessWeight() : null, Types.INTEGER);
    List<Predecessor> after = wire.getAfterList();
    boolean waits = !after.isEmpty();
    parameters.texts(waits ? after.stream().map(Predecessor::getId).toArray(String[]::new) : null);
    parameters.texts(
        waits ? after.stream().map(TransactionalTasks::onFailure).toArray(String[]::new) : null);
    PoolTarget pool = wire.getPool();
    List<PoolTarget.Header> headers = pool.getHeadersList();
    parameters.set(wire.hasPool() ? pool.getName() : null, Types.VARCHAR);
    parameters.textOrNull(pool.getMethod());
    parameters.textOrNull(pool.getPath());
    boolean hasHeaders = !headers.isEmpty();
    parameters.texts(
        hasHeaders
            ? headers.stream().map(PoolTarget.Header::getName).toArray(String[]::new)
            : null);
    parameters.texts(
        hasHeaders
            ? headers.stream().map(PoolTarget.Header::getValue).toArray(String[]::new)
            : null);
    parameters.textOrNull(pool.getRoutingKey());
  }

  private static String onFailure(Predecessor predecessor) {
    return predecessor.getOnFailure() == Predecessor.OnFailure.ON_FAILURE_UNSPECIFIED
        ? "fail"
        : predecessor.getOnFailure().name().toLowerCase(Locale.ROOT);
  }

  private static void bindMessage(Parameters parameters, ScheduleTaskRequest wire)
      throws SQLException {
    Topic topic = wire.getTopic();
    List<Topic.Header> headers = topic.getHeadersList();
    parameters.set(topic.getName(), Types.VARCHAR);
    parameters.set(wire.getPayload().toByteArray(), Types.BINARY);
    parameters.time(wire.hasRunAt() ? wire.getRunAt() : null);
    parameters.micros(wire.hasDelay() ? wire.getDelay() : null);
    parameters.set(topic.hasKey() ? topic.getKey().toByteArray() : null, Types.BINARY);
    parameters.texts(headers.stream().map(Topic.Header::getName).toArray(String[]::new));
    parameters.byteArrays(
        headers.stream().map(header -> header.getValue().toByteArray()).toArray(byte[][]::new));
    parameters.textOrNull(wire.getIdempotency().getKey());
    parameters.textOrNull(wire.getTraceparent());
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

    void texts(String @Nullable [] values) throws SQLException {
      set(
          values == null ? null : statement.getConnection().createArrayOf("text", values),
          Types.ARRAY);
    }

    void byteArrays(byte[][] values) throws SQLException {
      set(statement.getConnection().createArrayOf("bytea", values), Types.ARRAY);
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
