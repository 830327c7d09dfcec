package io.kairos.postgres.delay;

import io.kairos.domain.delay.Amendment;
import io.kairos.domain.delay.AmendmentOutcome;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import io.kairos.engine.delay.port.AmendRequest;
import io.kairos.engine.delay.port.ReplyTo;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.ColumnBatch;
import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.SqlCall;
import io.kairos.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Takes amendments of one route in, inside the transaction of an intake batch or in one of its own.
 * The messages are locked first, so that nothing changes them between the check and the change. A
 * message that nobody holds and for which no other amendment waits is changed at once; another
 * message is marked, and its holder decides. All amendments are noted, decided or not, so that a
 * crash loses no outcome.
 */
final class AmendmentIntake {
  private static final SqlStatement LOCK =
      SqlStatement.load(AmendmentIntake.class, "amend_lock.sql");
  private static final SqlStatement CANCEL =
      SqlStatement.load(AmendmentIntake.class, "amend_cancel.sql");
  private static final SqlStatement RESCHEDULE =
      SqlStatement.load(AmendmentIntake.class, "amend_reschedule.sql");
  private static final SqlStatement FLAG =
      SqlStatement.load(AmendmentIntake.class, "amend_flag.sql");
  private static final SqlStatement INSERT =
      SqlStatement.load(AmendmentIntake.class, "amendment_insert.sql");

  private static final String CANCEL_KIND = "cancel";
  private static final String RESCHEDULE_KIND = "reschedule";

  private AmendmentIntake() {}

  /**
   * The result of the intake.
   *
   * @param decided the outcomes of amendments that needed no holder
   * @param numbers the numbers of all amendments, in no particular order
   */
  record Taken(List<AmendmentOutcome> decided, List<Long> numbers) {
    static final Taken NONE = new Taken(List.of(), List.of());
  }

  /**
   * Applies amendments and notes them.
   *
   * @param decider the node that tells the outcomes; null when callers ask for them
   */
  static Taken take(
      Connection connection, RouteId route, @Nullable NodeId decider, List<AmendRequest> requests)
      throws SQLException {
    if (requests.isEmpty()) {
      return Taken.NONE;
    }
    Map<String, Standing> standings = lock(connection, route, requests);
    List<AmendRequest> cancels = new ArrayList<>();
    List<AmendRequest> reschedules = new ArrayList<>();
    List<AmendRequest> forTheHolder = new ArrayList<>();
    List<AmendmentOutcome> decided = new ArrayList<>();
    List<Judged> judged = new ArrayList<>(requests.size());
    for (AmendRequest request : requests) {
      AmendmentOutcome outcome =
          switch (standings.getOrDefault(request.id().value(), Standing.UNKNOWN)) {
            case UNKNOWN -> AmendmentOutcome.UNKNOWN_ID;
            case FREE -> AmendmentOutcome.APPLIED;
            case MAYBE_FIRED -> AmendmentOutcome.TOO_LATE;
            case FOR_THE_HOLDER -> null;
          };
      judged.add(new Judged(request, outcome));
      if (outcome == null) {
        forTheHolder.add(request);
      } else {
        decided.add(outcome);
      }
      if (outcome == AmendmentOutcome.APPLIED) {
        switch (request.amendment()) {
          case Amendment.Cancel _ -> cancels.add(request);
          case Amendment.Reschedule _ -> reschedules.add(request);
        }
      }
    }
    changeIds(CANCEL, connection, route, cancels);
    reschedule(connection, route, reschedules);
    changeIds(FLAG, connection, route, forTheHolder);
    return new Taken(decided, insert(connection, route, decider, judged));
  }

  /**
   * An amendment and its outcome, as columns.
   *
   * @param outcome null while the holder has to decide
   */
  private record Judged(AmendRequest request, @Nullable AmendmentOutcome outcome) {
    @Nullable Long due() {
      return switch (request.amendment()) {
        case Amendment.Cancel _ -> null;
        case Amendment.Reschedule(long due) -> due;
      };
    }

    private ReplyTo.@Nullable ResultsTopic topic() {
      return switch (request.replyTo()) {
        case ReplyTo.Caller _ -> null;
        case ReplyTo.ResultsTopic topic -> topic;
      };
    }

    @Nullable Integer replyPartition() {
      ReplyTo.ResultsTopic topic = topic();
      return topic == null ? null : (Integer) topic.partition();
    }

    @Nullable Long replyOffset() {
      ReplyTo.ResultsTopic topic = topic();
      return topic == null ? null : (Long) topic.offset();
    }

    byte @Nullable [] replyKey() {
      ReplyTo.ResultsTopic topic = topic();
      return topic == null ? null : topic.key();
    }

    @Nullable String outcomeName() {
      return outcome == null ? null : outcome.name();
    }
  }

  /** The obstacle to an amendment. */
  private enum Standing {
    UNKNOWN,
    FREE,
    MAYBE_FIRED,
    FOR_THE_HOLDER
  }

  private static Map<String, Standing> lock(
      Connection connection, RouteId route, List<AmendRequest> requests) throws SQLException {
    return LOCK.on(connection)
        .with("route", route.value())
        .with("ids", ids(requests))
        .map(
            row -> NonNullColumns.text(row, 1),
            row -> standing(row.getBoolean(2), row.getBoolean(3)));
  }

  private static Standing standing(boolean isFree, boolean maybeFired) {
    if (!isFree) {
      return Standing.FOR_THE_HOLDER;
    }
    return maybeFired ? Standing.MAYBE_FIRED : Standing.FREE;
  }

  private static BinaryArray ids(List<AmendRequest> requests) {
    return MessageIdArray.of(requests, AmendRequest::id);
  }

  private static void changeIds(
      SqlStatement sql, Connection connection, RouteId route, List<AmendRequest> requests)
      throws SQLException {
    if (!requests.isEmpty()) {
      sql.on(connection).with("route", route.value()).with("ids", ids(requests)).update();
    }
  }

  private static void reschedule(Connection connection, RouteId route, List<AmendRequest> requests)
      throws SQLException {
    SqlCall call = RESCHEDULE.on(connection).with("route", route.value());
    for (AmendRequest request : requests) {
      call.with("id", request.id().value())
          .with("due", dueMicros(request.amendment()))
          .addToBatch();
    }
    call.runBatch();
  }

  private static List<Long> insert(
      Connection connection, RouteId route, @Nullable NodeId decider, List<Judged> judged)
      throws SQLException {
    return INSERT
        .on(connection)
        .with("route", route.value())
        .with("decided_by", decider == null ? null : decider.value())
        .with("ids", MessageIdArray.of(judged, one -> one.request.id()))
        .with("kinds", ColumnBatch.texts(judged, one -> kind(one.request.amendment())))
        .with("dues", ColumnBatch.longsOrNulls(judged, Judged::due))
        .with("reply_partitions", ColumnBatch.intsOrNulls(judged, Judged::replyPartition))
        .with("reply_offsets", ColumnBatch.longsOrNulls(judged, Judged::replyOffset))
        .with("reply_keys", ColumnBatch.bytes(judged, Judged::replyKey))
        .with("outcomes", ColumnBatch.texts(judged, Judged::outcomeName))
        .list(row -> row.getLong(1));
  }

  private static String kind(Amendment amendment) {
    return switch (amendment) {
      case Amendment.Cancel _ -> CANCEL_KIND;
      case Amendment.Reschedule _ -> RESCHEDULE_KIND;
    };
  }

  private static long dueMicros(Amendment amendment) {
    return switch (amendment) {
      case Amendment.Cancel _ -> 0;
      case Amendment.Reschedule(long due) -> due;
    };
  }

  /** The amendment that a row's {@code kind} and {@code due_micros} stand for. */
  static Amendment amendment(String kind, long dueMicros) {
    return switch (kind) {
      case CANCEL_KIND -> new Amendment.Cancel();
      case RESCHEDULE_KIND -> new Amendment.Reschedule(dueMicros);
      default -> throw new IllegalStateException("unknown kind of amendment: " + kind);
    };
  }
}
