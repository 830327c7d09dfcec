package io.kairos.postgres.delay;

import static io.kairos.domain.check.ArgumentCheck.require;

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
import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.SqlDatabase;
import io.kairos.postgres.sql.SqlStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * {@link AmendmentStore} on the table {@code amendment}. Stateless but for its connections.
 *
 * @param database connections for the node's own work
 * @param calls connections for amendments that come by calls, as in {@link PostgresMessageStore}
 */
public record PostgresAmendmentStore(SqlDatabase database, SqlDatabase calls)
    implements AmendmentStore {
  private static final SqlStatement OUTCOME = SqlStatement.load("delay/amendment_outcome.sql");
  private static final SqlStatement UNDECIDED = SqlStatement.load("delay/amendment_undecided.sql");
  private static final SqlStatement UNTOLD = SqlStatement.load("delay/amendment_untold.sql");
  private static final SqlStatement TOLD = SqlStatement.load("delay/amendment_told.sql");
  private static final SqlStatement ADOPT = SqlStatement.load("delay/amendment_adopt.sql");

  @Override
  public long request(AmendRequest request) {
    require(
        request.replyTo() instanceof ReplyTo.Caller,
        "an amendment outside an intake batch is told to its caller, not to ",
        request.replyTo());
    return calls.transaction(
        "amending a message",
        connection ->
            AmendmentIntake.take(connection, request.route(), null, List.of(request))
                .numbers()
                .getFirst());
  }

  @Override
  public Optional<AmendmentOutcome> outcome(long number) {
    return calls
        .call("asking for an amendment's outcome", OUTCOME)
        .with("number", number)
        .optional(row -> Optional.ofNullable(row.getString(1)))
        .flatMap(Function.identity())
        .map(AmendmentOutcome::valueOf);
  }

  @Override
  public List<PendingAmendment> undecided(NodeId holder, int limit) {
    return database
        .call("reading undecided amendments", UNDECIDED)
        .with("holder", holder.value())
        .with("max_amendments", limit)
        .list(PostgresAmendmentStore::pending);
  }

  private static PendingAmendment pending(ResultSet row) throws SQLException {
    int after = MessageRows.WIDTH;
    Fence fence = new Fence(MessageRows.node(row, after + 1), row.getLong(after + 2));
    return new PendingAmendment(
        row.getLong(after + 3),
        MessageRows.claimed(fence, row),
        AmendmentIntake.amendment(row, after + 4));
  }

  @Override
  public List<AmendmentDecision> decide(NodeId by, List<AmendmentDecision> decisions) {
    if (decisions.isEmpty()) {
      return List.of();
    }
    List<FencePairs<AmendmentDecision>> pairs =
        FencePairs.grouped(decisions, FencePairs.FencedId::of);
    return database.transaction(
        "carrying out decisions", connection -> AmendmentDecisions.carryOut(connection, by, pairs));
  }

  @Override
  public List<AmendmentResult> untold(
      NodeId decidedBy, RouteId route, long afterNumber, int limit) {
    return database
        .call("reading untold outcomes", UNTOLD)
        .with("decided_by", decidedBy.value())
        .with("route", route.value())
        .with("after", afterNumber)
        .with("max_results", limit)
        .list(PostgresAmendmentStore::result);
  }

  private static AmendmentResult result(ResultSet row) throws SQLException {
    return new AmendmentResult(
        row.getLong(1),
        new RouteId(row.getInt(2)),
        new MessageId(NonNullColumns.text(row, 3)),
        AmendmentIntake.amendment(row, 4),
        new ReplyTo.ResultsTopic(row.getInt(5), row.getLong(6), row.getBytes(7)),
        AmendmentOutcome.valueOf(NonNullColumns.text(row, 8)));
  }

  @Override
  public void told(Collection<Long> numbers) {
    if (numbers.isEmpty()) {
      return;
    }
    BinaryArray sorted =
        BinaryArray.longs(numbers.stream().mapToLong(Long::longValue).sorted().toArray());
    database.call("forgetting told outcomes", TOLD).with("numbers", sorted).update();
  }

  @Override
  public void adoptUntold(NodeId from, NodeId to, Set<RouteId> routes) {
    database
        .call("adopting untold outcomes", ADOPT)
        .with("from", from.value())
        .with("to", to.value())
        .with("routes", PostgresMessageStore.routes(routes))
        .update();
  }
}
