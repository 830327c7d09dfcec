package io.kairos.postgres.delay;

import io.kairos.domain.delay.AmendmentOutcome;
import io.kairos.domain.node.NodeId;
import io.kairos.engine.delay.port.AmendmentDecision;
import io.kairos.engine.delay.port.AmendmentDecision.RowChange;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.Call;
import io.kairos.postgres.sql.Sql;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/**
 * Carries out what a holder has decided. The messages are locked under their pair first; whoever
 * brings another amendment meanwhile waits for that lock, or had it before and is then seen by the
 * later statements, which each look anew. So no mark is lost and no amendment forgotten.
 */
final class Decisions {
  private static final Sql LOCK = Sql.load(Decisions.class, "decide_lock.sql");
  private static final Sql DELETE = Sql.load(Decisions.class, "decide_delete.sql");
  private static final Sql RESCHEDULE = Sql.load(Decisions.class, "decide_reschedule.sql");
  private static final Sql OUTCOMES = Sql.load(Decisions.class, "decide_outcomes.sql");
  private static final Sql REST = Sql.load(Decisions.class, "decide_rest.sql");
  private static final Sql UNFLAG = Sql.load(Decisions.class, "decide_unflag.sql");

  private Decisions() {}

  /** Returns the decisions whose message still carried its pair. */
  static List<AmendmentDecision> carryOut(
      Connection connection, NodeId by, List<AmendmentDecision> decisions) throws SQLException {
    List<Row<AmendmentDecision>> locked = lock(connection, decisions);
    List<Row<AmendmentDecision>> cancelled = new ArrayList<>();
    List<Row<AmendmentDecision>> rescheduled = new ArrayList<>();
    List<Row<AmendmentDecision>> staying = new ArrayList<>();
    for (Row<AmendmentDecision> row : locked) {
      switch (row.what().change()) {
        case RowChange.Delete _ -> cancelled.add(row);
        case RowChange.Reschedule _ -> {
          rescheduled.add(row);
          staying.add(row);
        }
        case RowChange.Keep _ -> staying.add(row);
      }
    }
    noteOutcomes(connection, by, locked);
    reschedule(connection, array(rescheduled));
    delete(connection, array(cancelled));
    noteRest(connection, by, array(cancelled));
    unflag(connection, array(staying));
    return locked.stream().map(Row::what).toList();
  }

  private static List<Row<AmendmentDecision>> lock(
      Connection connection, List<AmendmentDecision> decisions) throws SQLException {
    Row<AmendmentDecision>[] rows =
        Row.sorted(
            decisions,
            one -> new Row<>(one.message().message().route(), one.message().message().id(), one));
    List<Row<AmendmentDecision>> locked = new ArrayList<>();
    try (Call call = Pairs.bind(LOCK.on(connection), rows, one -> one.message().fence());
        ResultSet found = call.query()) {
      while (found.next()) {
        locked.add(rows[found.getInt(1) - 1]);
      }
    }
    return locked;
  }

  private static void delete(Connection connection, Row<AmendmentDecision>[] rows)
      throws SQLException {
    if (rows.length > 0) {
      try (Call call =
          DELETE.on(connection).with("routes", Row.routes(rows)).with("ids", Row.ids(rows))) {
        call.update();
      }
    }
  }

  private static void reschedule(Connection connection, Row<AmendmentDecision>[] rows)
      throws SQLException {
    if (rows.length == 0) {
      return;
    }
    long[] dues = new long[rows.length];
    int[] keepClaims = new int[rows.length];
    for (int i = 0; i < rows.length; i++) {
      if (rows[i].what().change() instanceof RowChange.Reschedule(long due, boolean keepClaim)) {
        dues[i] = due;
        keepClaims[i] = keepClaim ? 1 : 0;
      }
    }
    try (Call call =
        RESCHEDULE
            .on(connection)
            .with("routes", Row.routes(rows))
            .with("ids", Row.ids(rows))
            .with("dues", BinaryArray.longs(dues))
            .with("keep_claims", BinaryArray.ints(keepClaims))) {
      call.update();
    }
  }

  private static void noteOutcomes(
      Connection connection, NodeId by, List<Row<AmendmentDecision>> rows) throws SQLException {
    List<AmendmentDecision.Decided> all =
        rows.stream().flatMap(row -> row.what().outcomes().stream()).toList();
    if (all.isEmpty()) {
      return;
    }
    byte[][] outcomes =
        all.stream()
            .map(one -> one.outcome().name().getBytes(StandardCharsets.UTF_8))
            .toArray(byte[][]::new);
    long[] numbers = all.stream().mapToLong(AmendmentDecision.Decided::number).toArray();
    try (Call call =
        OUTCOMES
            .on(connection)
            .with("decided_by", by.value())
            .with("numbers", BinaryArray.longs(numbers))
            .with("outcomes", BinaryArray.texts(outcomes))) {
      call.update();
    }
  }

  /** What came after the amendments that the holder decided finds its message cancelled. */
  private static void noteRest(Connection connection, NodeId by, Row<AmendmentDecision>[] rows)
      throws SQLException {
    if (rows.length == 0) {
      return;
    }
    UUID[] deciders = new UUID[rows.length];
    Arrays.fill(deciders, by.value());
    try (Call call =
        REST.on(connection)
            .with("outcome", AmendmentOutcome.UNKNOWN_ID.name())
            .with("routes", Row.routes(rows))
            .with("ids", Row.ids(rows))
            .with("deciders", BinaryArray.uuids(deciders))) {
      call.update();
    }
  }

  private static void unflag(Connection connection, Row<AmendmentDecision>[] rows)
      throws SQLException {
    if (rows.length > 0) {
      try (Call call =
          UNFLAG.on(connection).with("routes", Row.routes(rows)).with("ids", Row.ids(rows))) {
        call.update();
      }
    }
  }

  private static Row<AmendmentDecision>[] array(List<Row<AmendmentDecision>> rows) {
    @SuppressWarnings({"unchecked", "rawtypes"})
    Row<AmendmentDecision>[] array = rows.toArray(new Row[0]);
    return array;
  }
}
