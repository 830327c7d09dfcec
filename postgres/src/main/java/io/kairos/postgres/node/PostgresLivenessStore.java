package io.kairos.postgres.node;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.node.LivenessStore;
import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.SqlCall;
import io.kairos.postgres.sql.SqlDatabase;
import io.kairos.postgres.sql.SqlStatement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * {@link LivenessStore} on the table {@code node}. Renewals of this node run on a connection of
 * their own; statements on departed nodes run on others, so that a slow one cannot delay a renewal.
 *
 * @param own one connection for renewals
 * @param shared connections for everything else
 * @param schemaKnown number of the latest migration that this build knows
 */
public record PostgresLivenessStore(SqlDatabase own, SqlDatabase shared, int schemaKnown)
    implements LivenessStore {
  private static final SqlStatement TIME = SqlStatement.load("node/time.sql");
  private static final SqlStatement TURN = SqlStatement.load("node/enrol_turn.sql");
  private static final SqlStatement NEEDED = SqlStatement.load("node/schema_needed.sql");
  private static final SqlStatement ENROL = SqlStatement.load("node/enrol.sql");
  private static final SqlStatement RENEW = SqlStatement.load("node/renew.sql");
  private static final SqlStatement RETIRE = SqlStatement.load("node/retire.sql");
  private static final SqlStatement ALIVE = SqlStatement.load("node/alive.sql");
  private static final SqlStatement DECLARE_DEAD = SqlStatement.load("node/declare_dead.sql");
  private static final SqlStatement DEPARTED = SqlStatement.load("node/departed.sql");
  private static final SqlStatement BURY = SqlStatement.load("node/bury.sql");
  private static final SqlStatement PURGE = SqlStatement.load("node/amendment_purge.sql");

  private static final Duration UNREAD_OUTCOMES_KEPT = Duration.ofHours(1);
  private static final int PURGE_LIMIT = 10_000;

  @Override
  public Instant time() {
    return time(own.call("asking the store for its time", TIME)).orElseThrow();
  }

  @Override
  public Instant enrol(NodeId node, Duration lapse) {
    return own.transaction(
        "enrolling the node",
        connection -> {
          TURN.on(connection).execute();
          int needed = NEEDED.on(connection).one(row -> row.getInt(1));
          if (needed > schemaKnown) {
            throw new IllegalStateException(
                "a later build has migrated the database, which needs nodes that know version %d of the schema, and this build knows versions up to %d: start a later build"
                    .formatted(needed, schemaKnown));
          }
          return time(ENROL
                  .on(connection)
                  .with("node", node.value())
                  .with("lapse_micros", EpochMicros.lengthOf(lapse))
                  .with("schema_known", schemaKnown))
              .orElseThrow(
                  () -> new IllegalStateException("node " + node + " has retired for good"));
        });
  }

  @Override
  public Optional<Instant> renew(NodeId node) {
    return time(own.call("renewing liveness", RENEW).with("node", node.value()));
  }

  private static Optional<Instant> time(SqlCall call) {
    return call.optional(row -> NonNullColumns.instant(row, 1));
  }

  @Override
  public void retire(NodeId node) {
    own.call("retiring the node", RETIRE).with("node", node.value()).update();
  }

  @Override
  public List<Renewal> alive() {
    return shared
        .call("looking for live nodes", ALIVE)
        .list(row ->
            new Renewal(
                new NodeId(NonNullColumns.uuid(row, 1)),
                NonNullColumns.instant(row, 2),
                EpochMicros.toDuration(row.getLong(3))));
  }

  @Override
  public void declareDead(Renewal last) {
    shared
        .call("declaring a node dead", DECLARE_DEAD)
        .with("node", last.node().value())
        .with("renewed_micros", EpochMicros.of(last.at()))
        .update();
  }

  @Override
  public List<Departed> departed() {
    return shared
        .call("looking for departed nodes", DEPARTED)
        .list(row -> new Departed(new NodeId(NonNullColumns.uuid(row, 1)), row.getBoolean(2)));
  }

  @Override
  public void bury(Duration grace) {
    shared
        .call("burying departed nodes", BURY)
        .with("grace_micros", EpochMicros.lengthOf(grace))
        .update();
    shared
        .call("forgetting outcomes that nobody read", PURGE)
        .with("kept_micros", EpochMicros.lengthOf(UNREAD_OUTCOMES_KEPT))
        .with("max_amendments", PURGE_LIMIT)
        .update();
  }
}
