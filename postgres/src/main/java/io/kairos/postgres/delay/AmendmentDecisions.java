package io.kairos.postgres.delay;

import io.kairos.domain.delay.AmendmentOutcome;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.node.NodeId;
import io.kairos.engine.delay.port.AmendmentDecision;
import io.kairos.engine.delay.port.AmendmentDecision.RowChange;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Carries out the decisions of a holder. The messages are locked first, if they still carry their
 * fence. A transaction that brings another amendment waits for that lock, or had it before and is
 * then seen by the later statements. So no mark and no amendment is lost.
 */
final class AmendmentDecisions {
  private static final SqlStatement LOCK = SqlStatement.load("delay/decide_lock.sql");
  private static final SqlStatement OUTCOMES = SqlStatement.load("delay/decide_outcomes.sql");
  private static final SqlStatement RESCHEDULE = SqlStatement.load("delay/decide_reschedule.sql");
  private static final SqlStatement DELETE = SqlStatement.load("delay/amend_cancel.sql");
  private static final SqlStatement REST = SqlStatement.load("delay/decide_rest.sql");
  private static final SqlStatement UNFLAG = SqlStatement.load("delay/decide_unflag.sql");

  private AmendmentDecisions() {}

  /** Returns the decisions whose message still carried its fence. */
  static List<AmendmentDecision> carryOut(
      Connection connection, NodeId by, List<FencePairs<AmendmentDecision>> decisions) {
    List<AmendmentDecision> carriedOut = new ArrayList<>();
    for (FencePairs<AmendmentDecision> pairs : decisions) {
      List<AmendmentDecision> locked = lock(connection, pairs);
      if (!locked.isEmpty()) {
        int route = pairs.route().value();
        noteOutcomes(connection, by, locked);
        reschedule(connection, route, locked);
        delete(connection, by, route, ids(locked, RowChange.Delete.class::isInstance));
        unflag(connection, route, ids(locked, change -> !(change instanceof RowChange.Delete)));
        carriedOut.addAll(locked);
      }
    }
    return carriedOut;
  }

  private static List<AmendmentDecision> lock(
      Connection connection, FencePairs<AmendmentDecision> pairs) {
    return pairs.with(pairs.bind(LOCK.on(connection)).set(row -> NonNullColumns.text(row, 1)));
  }

  private static List<MessageId> ids(
      List<AmendmentDecision> decisions, Predicate<RowChange> which) {
    return decisions.stream()
        .filter(decision -> which.test(decision.change()))
        .map(decision -> decision.message().message().id())
        .toList();
  }

  private static void noteOutcomes(
      Connection connection, NodeId by, List<AmendmentDecision> decisions) {
    for (AmendmentOutcome outcome : AmendmentOutcome.values()) {
      long[] numbers =
          decisions.stream()
              .flatMap(decision -> decision.outcomes().stream())
              .filter(decided -> decided.outcome() == outcome)
              .mapToLong(AmendmentDecision.Decided::number)
              .toArray();
      if (numbers.length > 0) {
        OUTCOMES
            .on(connection)
            .with("outcome", outcome.name())
            .with("decided_by", by.value())
            .with("numbers", BinaryArray.longs(numbers))
            .update();
      }
    }
  }

  private static void reschedule(
      Connection connection, int route, List<AmendmentDecision> decisions) {
    Map<MessageId, Long> dues = new LinkedHashMap<>();
    for (AmendmentDecision decision : decisions) {
      if (decision.change() instanceof RowChange.Reschedule(long due)) {
        dues.put(decision.message().message().id(), due);
      }
    }
    AmendmentIntake.reschedule(RESCHEDULE.on(connection).with("route", route), dues);
  }

  /** Deletes cancelled messages. Later amendments of these get the outcome {@code UNKNOWN_ID}. */
  private static void delete(Connection connection, NodeId by, int route, List<MessageId> ids) {
    if (ids.isEmpty()) {
      return;
    }
    DELETE.on(connection).with("route", route).with("ids", MessageIdArray.of(ids)).update();
    REST.on(connection)
        .with("outcome", AmendmentOutcome.UNKNOWN_ID.name())
        .with("decided_by", by.value())
        .with("route", route)
        .with("ids", MessageIdArray.of(ids))
        .update();
  }

  private static void unflag(Connection connection, int route, List<MessageId> ids) {
    if (!ids.isEmpty()) {
      UNFLAG.on(connection).with("route", route).with("ids", MessageIdArray.of(ids)).update();
    }
  }
}
