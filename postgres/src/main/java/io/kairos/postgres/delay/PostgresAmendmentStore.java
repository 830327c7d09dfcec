package io.kairos.postgres.delay;

import io.kairos.domain.delay.AmendmentOutcome;
import io.kairos.domain.delay.Fence;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import io.kairos.engine.delay.port.AmendRequest;
import io.kairos.engine.delay.port.AmendmentDecision;
import io.kairos.engine.delay.port.AmendmentResult;
import io.kairos.engine.delay.port.AmendmentStore;
import io.kairos.engine.delay.port.PendingAmendment;
import io.kairos.engine.delay.port.ReplyTo;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.Call;
import io.kairos.postgres.sql.Columns;
import io.kairos.postgres.sql.Database;
import io.kairos.postgres.sql.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** {@link AmendmentStore} on the table {@code amendment}. Stateless but for its connections. */
public final class PostgresAmendmentStore implements AmendmentStore {
  private static final Sql OUTCOME =
      Sql.load(PostgresAmendmentStore.class, "amendment_outcome.sql");
  private static final Sql UNDECIDED =
      Sql.load(PostgresAmendmentStore.class, "amendment_undecided.sql");
  private static final Sql UNTOLD = Sql.load(PostgresAmendmentStore.class, "amendment_untold.sql");
  private static final Sql TOLD = Sql.load(PostgresAmendmentStore.class, "amendment_told.sql");
  private static final Sql ADOPT = Sql.load(PostgresAmendmentStore.class, "amendment_adopt.sql");

  private final Database database;
  private final Database calls;

  /**
   * @param database for what the node does
   * @param calls for what comes by calls, as in {@link PostgresMessageStore}
   */
  public PostgresAmendmentStore(Database database, Database calls) {
    this.database = database;
    this.calls = calls;
  }

  @Override
  public long request(AmendRequest request) {
    if (!(request.replyTo() instanceof ReplyTo.Caller)) {
      throw new IllegalArgumentException(
          "an amendment outside an intake batch is told to its caller, not to "
              + request.replyTo());
    }
    return calls.transaction(
        "amending a message",
        connection ->
            Amendments.take(connection, request.route(), null, List.of(request))
                .numbers()
                .getFirst());
  }

  @Override
  public Optional<AmendmentOutcome> outcome(long number) {
    return calls.single(
        "asking for an amendment's outcome",
        connection -> {
          try (Call call = OUTCOME.on(connection).with("number", number);
              ResultSet row = call.query()) {
            return row.next()
                ? Optional.ofNullable(row.getString(1)).map(AmendmentOutcome::valueOf)
                : Optional.empty();
          }
        });
  }

  @Override
  public List<PendingAmendment> undecided(NodeId holder, int limit) {
    return database.single(
        "reading undecided amendments",
        connection -> {
          try (Call call =
                  UNDECIDED
                      .on(connection)
                      .with("holder", holder.value())
                      .with("max_amendments", limit);
              ResultSet rows = call.query()) {
            List<PendingAmendment> undecided = new ArrayList<>();
            while (rows.next()) {
              undecided.add(pending(rows));
            }
            return undecided;
          }
        });
  }

  private static PendingAmendment pending(ResultSet row) throws SQLException {
    int after = MessageRows.WIDTH;
    Fence fence = new Fence(MessageRows.node(row, after + 1), row.getLong(after + 2));
    return new PendingAmendment(
        row.getLong(after + 3),
        MessageRows.claimed(fence, row),
        Amendments.amendment(Columns.text(row, after + 4), row.getLong(after + 5)));
  }

  @Override
  public List<AmendmentDecision> decide(NodeId by, List<AmendmentDecision> decisions) {
    if (decisions.isEmpty()) {
      return List.of();
    }
    List<Pairs<AmendmentDecision>> pairs = Pairs.grouped(decisions, Pairs.Place::of);
    return database.transaction(
        "carrying out decisions", connection -> Decisions.carryOut(connection, by, pairs));
  }

  @Override
  public List<AmendmentResult> untold(
      NodeId decidedBy, RouteId route, long afterNumber, int limit) {
    return database.single(
        "reading untold outcomes",
        connection -> {
          try (Call call =
                  UNTOLD
                      .on(connection)
                      .with("decided_by", decidedBy.value())
                      .with("route", route.value())
                      .with("after", afterNumber)
                      .with("max_results", limit);
              ResultSet rows = call.query()) {
            List<AmendmentResult> untold = new ArrayList<>();
            while (rows.next()) {
              untold.add(result(rows));
            }
            return untold;
          }
        });
  }

  private static AmendmentResult result(ResultSet row) throws SQLException {
    return new AmendmentResult(
        row.getLong(1),
        new RouteId(row.getInt(2)),
        new MessageId(Columns.text(row, 3)),
        Amendments.amendment(Columns.text(row, 4), row.getLong(5)),
        new ReplyTo.ResultsTopic(row.getInt(6), row.getLong(7), row.getBytes(8)),
        AmendmentOutcome.valueOf(Columns.text(row, 9)));
  }

  @Override
  public void told(Collection<Long> numbers) {
    if (numbers.isEmpty()) {
      return;
    }
    BinaryArray sorted =
        BinaryArray.longs(numbers.stream().mapToLong(Long::longValue).sorted().toArray());
    database.single(
        "forgetting told outcomes",
        connection -> {
          try (Call call = TOLD.on(connection).with("numbers", sorted)) {
            return call.update();
          }
        });
  }

  @Override
  public void adoptUntold(NodeId from, NodeId to, Set<RouteId> routes) {
    BinaryArray served =
        BinaryArray.ints(routes.stream().mapToInt(RouteId::value).sorted().toArray());
    database.single(
        "adopting untold outcomes",
        connection -> {
          try (Call call =
              ADOPT
                  .on(connection)
                  .with("from", from.value())
                  .with("to", to.value())
                  .with("routes", served)) {
            return call.update();
          }
        });
  }
}
