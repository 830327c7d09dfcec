package io.kairos.postgres.delay;

import io.kairos.domain.delay.AmendmentOutcome;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.node.NodeId;
import io.kairos.engine.delay.port.AmendmentDecision;
import io.kairos.engine.delay.port.AmendmentDecision.RowChange;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.Call;
import io.kairos.postgres.sql.Columns;
import io.kairos.postgres.sql.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Carries out what a holder has decided. The messages are locked under their pair first; whoever
 * brings another amendment meanwhile waits for that lock, or had it before and is then seen by the
 * later statements, which each look anew. So no mark is lost and no amendment forgotten.
 */
final class Decisions {
  private static final Sql LOCK = Sql.load(Decisions.class, "decide_lock.sql");
  private static final Sql OUTCOMES = Sql.load(Decisions.class, "decide_outcomes.sql");
  private static final Sql RESCHEDULE = Sql.load(Decisions.class, "decide_reschedule.sql");
  private static final Sql DELETE = Sql.load(Decisions.class, "decide_delete.sql");
  private static final Sql REST = Sql.load(Decisions.class, "decide_rest.sql");
  private static final Sql UNFLAG = Sql.load(Decisions.class, "decide_unflag.sql");

  private Decisions() {}

  /** Returns the decisions whose message still carried its pair. */
  static List<AmendmentDecision> carryOut(
      Connection connection, NodeId by, List<Pairs<AmendmentDecision>> decisions)
      throws SQLException {
    List<AmendmentDecision> carriedOut = new ArrayList<>();
    for (Pairs<AmendmentDecision> pairs : decisions) {
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

  private static List<AmendmentDecision> lock(Connection connection, Pairs<AmendmentDecision> pairs)
      throws SQLException {
    Set<String> ids = new HashSet<>();
    try (Call call = pairs.bind(LOCK.on(connection));
        ResultSet found = call.query()) {
      while (found.next()) {
        ids.add(Columns.text(found, 1));
      }
    }
    return pairs.with(ids);
  }

  private static List<MessageId> ids(
      List<AmendmentDecision> decisions, Predicate<RowChange> which) {
    return decisions.stream()
        .filter(decision -> which.test(decision.change()))
        .map(decision -> decision.message().message().id())
        .toList();
  }

  private static void noteOutcomes(
      Connection connection, NodeId by, List<AmendmentDecision> decisions) throws SQLException {
    for (AmendmentOutcome outcome : AmendmentOutcome.values()) {
      long[] numbers =
          decisions.stream()
              .flatMap(decision -> decision.outcomes().stream())
              .filter(decided -> decided.outcome() == outcome)
              .mapToLong(AmendmentDecision.Decided::number)
              .toArray();
      if (numbers.length > 0) {
        try (Call call =
            OUTCOMES
                .on(connection)
                .with("outcome", outcome.name())
                .with("decided_by", by.value())
                .with("numbers", BinaryArray.longs(numbers))) {
          call.update();
        }
      }
    }
  }

  private static void reschedule(
      Connection connection, int route, List<AmendmentDecision> decisions) throws SQLException {
    try (Call call = RESCHEDULE.on(connection)) {
      for (AmendmentDecision decision : decisions) {
        if (decision.change() instanceof RowChange.Reschedule(long due)) {
          call.with("route", route)
              .with("id", decision.message().message().id().value())
              .with("due", due)
              .addToBatch();
        }
      }
      call.runBatch();
    }
  }

  /** What came after the amendments that the holder decided finds its message cancelled. */
  private static void delete(Connection connection, NodeId by, int route, List<MessageId> ids)
      throws SQLException {
    if (ids.isEmpty()) {
      return;
    }
    try (Call call = DELETE.on(connection).with("route", route).with("ids", Ids.of(ids))) {
      call.update();
    }
    try (Call call =
        REST.on(connection)
            .with("outcome", AmendmentOutcome.UNKNOWN_ID.name())
            .with("decided_by", by.value())
            .with("route", route)
            .with("ids", Ids.of(ids))) {
      call.update();
    }
  }

  private static void unflag(Connection connection, int route, List<MessageId> ids)
      throws SQLException {
    if (!ids.isEmpty()) {
      try (Call call = UNFLAG.on(connection).with("route", route).with("ids", Ids.of(ids))) {
        call.update();
      }
    }
  }
}
