package io.kairos.postgres.delay;

import io.kairos.domain.delay.Amendment;
import io.kairos.domain.delay.AmendmentOutcome;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import io.kairos.engine.delay.port.AmendRequest;
import io.kairos.engine.delay.port.ReplyTo;
import io.kairos.postgres.sql.ColumnBatch;
import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.NullableColumns;
import io.kairos.postgres.sql.SqlCall;
import io.kairos.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Takes amendments of one route in, inside the transaction of an intake batch or in one of its own.
 * The messages are locked first, so that nothing changes them between the check and the change. A
 * message that nobody holds and for which no other amendment waits is changed at once; another
 * message is marked, and its holder decides. All amendments are noted, decided or not, so that a
 * crash loses no outcome.
 */
final class AmendmentIntake {
  private static final SqlStatement LOCK = SqlStatement.load("delay/amend_lock.sql");
  private static final SqlStatement CANCEL = SqlStatement.load("delay/amend_cancel.sql");
  private static final SqlStatement RESCHEDULE = SqlStatement.load("delay/amend_reschedule.sql");
  private static final SqlStatement FLAG = SqlStatement.load("delay/amend_flag.sql");
  private static final SqlStatement INSERT = SqlStatement.load("delay/amendment_insert.sql");

  private AmendmentIntake() {}

  /**
   * The result of the intake.
   *
   * @param decided the outcomes of amendments that needed no holder
   * @param numbers the numbers of all amendments, in no particular order
   */
  record AmendmentResults(List<AmendmentOutcome> decided, List<Long> numbers) {
    static final AmendmentResults NONE = new AmendmentResults(List.of(), List.of());
  }

  /**
   * Applies amendments and notes them.
   *
   * @param decider the node that tells the outcomes; null when callers ask for them
   */
  static AmendmentResults take(
      Connection connection, RouteId route, @Nullable NodeId decider, List<AmendRequest> requests) {
    if (requests.isEmpty()) {
      return AmendmentResults.NONE;
    }
    Map<String, @Nullable AmendmentOutcome> outcomes = lock(connection, route, requests);
    List<Judged> judged = new ArrayList<>(requests.size());
    List<AmendmentOutcome> decided = new ArrayList<>();
    for (AmendRequest request : requests) {
      String id = request.id().value();
      AmendmentOutcome outcome = outcomes.getOrDefault(id, AmendmentOutcome.UNKNOWN_ID);
      judged.add(new Judged(request, outcome));
      if (outcome != null) {
        decided.add(outcome);
      }
    }
    changeIds(CANCEL, connection, route, judged, one -> one.isApplied() && one.due() == null);
    reschedule(connection, route, judged);
    changeIds(FLAG, connection, route, judged, one -> one.outcome == null);
    return new AmendmentResults(decided, insert(connection, route, decider, judged));
  }

  /**
   * An amendment and its outcome, as columns.
   *
   * @param outcome null while the holder has to decide
   */
  private record Judged(AmendRequest request, @Nullable AmendmentOutcome outcome) {
    boolean isApplied() {
      return outcome == AmendmentOutcome.APPLIED;
    }

    @Nullable Long due() {
      return switch (request.amendment()) {
        case Amendment.Cancel _ -> null;
        case Amendment.Reschedule(long due) -> due;
      };
    }

    /** Part of the place of the reply; null when the caller asks for the outcome. */
    <T extends @Nullable Object> @Nullable T reply(Function<ReplyTo.ResultsTopic, T> part) {
      return switch (request.replyTo()) {
        case ReplyTo.Caller _ -> null;
        case ReplyTo.ResultsTopic topic -> part.apply(topic);
      };
    }

    @Nullable String outcomeName() {
      return outcome == null ? null : outcome.name();
    }
  }

  /**
   * Locks messages.
   *
   * @return the outcomes by the ids of the messages; null for one whose holder has to decide
   */
  private static Map<String, @Nullable AmendmentOutcome> lock(
      Connection connection, RouteId route, List<AmendRequest> requests) {
    return LOCK.on(connection)
        .with("route", route.value())
        .with("ids", MessageIdArray.of(requests, AmendRequest::id))
        .map(
            row -> NonNullColumns.text(row, 1),
            row -> row.getBoolean(2) ? outcome(row.getBoolean(3)) : null);
  }

  private static AmendmentOutcome outcome(boolean maybeFired) {
    return maybeFired ? AmendmentOutcome.TOO_LATE : AmendmentOutcome.APPLIED;
  }

  private static void changeIds(
      SqlStatement sql,
      Connection connection,
      RouteId route,
      List<Judged> judged,
      Predicate<Judged> which) {
    List<MessageId> ids = judged.stream().filter(which).map(one -> one.request.id()).toList();
    if (!ids.isEmpty()) {
      sql.on(connection).with("route", route.value()).with("ids", MessageIdArray.of(ids)).update();
    }
  }

  private static void reschedule(Connection connection, RouteId route, List<Judged> judged) {
    Map<MessageId, Long> dues = new LinkedHashMap<>();
    for (Judged one : judged) {
      Long due = one.due();
      if (one.isApplied() && due != null) {
        dues.put(one.request.id(), due);
      }
    }
    reschedule(RESCHEDULE.on(connection).with("route", route.value()), dues);
  }

  static void reschedule(SqlCall call, Map<MessageId, Long> dues) {
    if (!dues.isEmpty()) {
      call.with("ids", MessageIdArray.of(dues.keySet()))
          .with("dues", ColumnBatch.longs(dues.values(), Long::longValue))
          .update();
    }
  }

  private static List<Long> insert(
      Connection connection, RouteId route, @Nullable NodeId decider, List<Judged> judged) {
    return INSERT
        .on(connection)
        .with("route", route.value())
        .with("decided_by", decider == null ? null : decider.value())
        .with("ids", MessageIdArray.of(judged, one -> one.request.id()))
        .with("dues", ColumnBatch.longsOrNulls(judged, Judged::due))
        .with(
            "reply_partitions",
            ColumnBatch.longsOrNulls(judged, one -> one.reply(topic -> (long) topic.partition())))
        .with(
            "reply_offsets",
            ColumnBatch.longsOrNulls(judged, one -> one.reply(ReplyTo.ResultsTopic::offset)))
        .with("reply_keys", ColumnBatch.bytes(judged, one -> one.reply(ReplyTo.ResultsTopic::key)))
        .with("outcomes", ColumnBatch.texts(judged, Judged::outcomeName))
        .list(row -> row.getLong(1));
  }

  /** The amendment that the column {@code due_micros} of a row stands for. */
  static Amendment amendment(ResultSet row, int due) throws SQLException {
    Amendment reschedule = NullableColumns.number(row, due, Amendment.Reschedule::new);
    return reschedule == null ? new Amendment.Cancel() : reschedule;
  }
}
