package io.kairos.postgres.node;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.node.LivenessStore;
import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.SqlCall;
import io.kairos.postgres.sql.SqlDatabase;
import io.kairos.postgres.sql.SqlStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * {@link LivenessStore} on the table {@code node}. Renewals of this node run on a connection of
 * their own; statements on departed nodes run on others, so that a slow one cannot delay a renewal.
 */
public final class PostgresLivenessStore implements LivenessStore {
  private static final SqlStatement TIME =
      SqlStatement.load(PostgresLivenessStore.class, "time.sql");
  private static final SqlStatement ENROL =
      SqlStatement.load(PostgresLivenessStore.class, "enrol.sql");
  private static final SqlStatement RENEW =
      SqlStatement.load(PostgresLivenessStore.class, "renew.sql");
  private static final SqlStatement RETIRE =
      SqlStatement.load(PostgresLivenessStore.class, "retire.sql");
  private static final SqlStatement ALIVE =
      SqlStatement.load(PostgresLivenessStore.class, "alive.sql");
  private static final SqlStatement DEPARTED =
      SqlStatement.load(PostgresLivenessStore.class, "departed.sql");
  private static final SqlStatement BURY =
      SqlStatement.load(PostgresLivenessStore.class, "bury.sql");
  private static final SqlStatement PURGE =
      SqlStatement.load(PostgresLivenessStore.class, "amendment_purge.sql");

  private static final Duration UNREAD_OUTCOMES_KEPT = Duration.ofHours(1);
  private static final int PURGE_LIMIT = 10_000;

  private final SqlDatabase own;
  private final SqlDatabase shared;

  /**
   * Makes a store.
   *
   * @param own one connection for renewals
   * @param shared connections for everything else
   */
  public PostgresLivenessStore(SqlDatabase own, SqlDatabase shared) {
    this.own = own;
    this.shared = shared;
  }

  @Override
  public Instant time() {
    return own.single("asking the store for its time", connection -> time(TIME.on(connection)))
        .orElseThrow();
  }

  @Override
  public Instant enrol(NodeId node, Duration lapse) {
    return own.single(
            "enrolling the node",
            connection ->
                time(
                    ENROL
                        .on(connection)
                        .with("node", node.value())
                        .with("lapse_micros", EpochMicros.lengthOf(lapse))))
        .orElseThrow(() -> new IllegalStateException("node " + node + " has retired for good"));
  }

  @Override
  public Optional<Instant> renew(NodeId node) {
    return own.single(
        "renewing liveness", connection -> time(RENEW.on(connection).with("node", node.value())));
  }

  private static Optional<Instant> time(SqlCall call) throws SQLException {
    return call.optional(row -> NonNullColumns.instant(row, 1));
  }

  @Override
  public void retire(NodeId node) {
    own.single(
        "retiring the node",
        connection -> RETIRE.on(connection).with("node", node.value()).update());
  }

  @Override
  public Set<NodeId> alive() {
    return shared.single(
        "looking for live nodes",
        connection -> ALIVE.on(connection).set(row -> new NodeId(NonNullColumns.uuid(row, 1))));
  }

  @Override
  public List<Departed> departed() {
    return shared.single(
        "looking for departed nodes",
        connection ->
            DEPARTED
                .on(connection)
                .list(row ->
                    new Departed(new NodeId(NonNullColumns.uuid(row, 1)), row.getBoolean(2))));
  }

  @Override
  public void bury(Duration grace) {
    shared.single(
        "burying departed nodes",
        connection ->
            BURY.on(connection).with("grace_micros", EpochMicros.lengthOf(grace)).update());
    shared.single(
        "forgetting outcomes that nobody read",
        connection ->
            PURGE
                .on(connection)
                .with("kept_micros", EpochMicros.lengthOf(UNREAD_OUTCOMES_KEPT))
                .with("max_amendments", PURGE_LIMIT)
                .update());
  }
}
