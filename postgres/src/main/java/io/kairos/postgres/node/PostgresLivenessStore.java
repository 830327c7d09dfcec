package io.kairos.postgres.node;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.node.LivenessStore;
import io.kairos.postgres.sql.Call;
import io.kairos.postgres.sql.Columns;
import io.kairos.postgres.sql.Database;
import io.kairos.postgres.sql.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * {@link LivenessStore} on the table {@code node}. What keeps this node alive runs on a connection
 * of its own; what looks after departed ones does not, so that a slow look cannot delay a renewal.
 */
public final class PostgresLivenessStore implements LivenessStore {
  private static final Sql TIME = Sql.load(PostgresLivenessStore.class, "time.sql");
  private static final Sql ENROL = Sql.load(PostgresLivenessStore.class, "enrol.sql");
  private static final Sql RENEW = Sql.load(PostgresLivenessStore.class, "renew.sql");
  private static final Sql RETIRE = Sql.load(PostgresLivenessStore.class, "retire.sql");
  private static final Sql ALIVE = Sql.load(PostgresLivenessStore.class, "alive.sql");
  private static final Sql DEPARTED = Sql.load(PostgresLivenessStore.class, "departed.sql");
  private static final Sql BURY = Sql.load(PostgresLivenessStore.class, "bury.sql");
  private static final Sql PURGE = Sql.load(PostgresLivenessStore.class, "amendment_purge.sql");

  private static final Duration UNREAD_OUTCOMES_KEPT = Duration.ofHours(1);
  private static final int PURGE_LIMIT = 10_000;

  private final Database own;
  private final Database shared;

  /**
   * Looks after liveness.
   *
   * @param own one connection for renewals
   * @param shared for everything else
   */
  public PostgresLivenessStore(Database own, Database shared) {
    this.own = own;
    this.shared = shared;
  }

  @Override
  public Instant time() {
    return own.single(
            "asking the store for its time",
            connection -> {
              try (Call call = TIME.on(connection)) {
                return time(call);
              }
            })
        .orElseThrow();
  }

  @Override
  public Instant enrol(NodeId node, Duration lapse) {
    return own.single(
            "enrolling the node",
            connection -> {
              try (Call call =
                  ENROL
                      .on(connection)
                      .with("node", node.value())
                      .with("lapse_micros", EpochMicros.lengthOf(lapse))) {
                return time(call);
              }
            })
        .orElseThrow(() -> new IllegalStateException("node " + node + " has retired for good"));
  }

  @Override
  public Optional<Instant> renew(NodeId node) {
    return own.single(
        "renewing liveness",
        connection -> {
          try (Call call = RENEW.on(connection).with("node", node.value())) {
            return time(call);
          }
        });
  }

  private static Optional<Instant> time(Call call) throws SQLException {
    try (ResultSet row = call.query()) {
      return row.next() ? Optional.of(Columns.instant(row, 1)) : Optional.empty();
    }
  }

  @Override
  public void retire(NodeId node) {
    own.single(
        "retiring the node",
        connection -> {
          try (Call call = RETIRE.on(connection).with("node", node.value())) {
            return call.update();
          }
        });
  }

  @Override
  public Set<NodeId> alive() {
    return shared.single(
        "looking for live nodes",
        connection -> {
          try (Call call = ALIVE.on(connection);
              ResultSet rows = call.query()) {
            Set<NodeId> alive = new HashSet<>();
            while (rows.next()) {
              alive.add(new NodeId(Columns.uuid(rows, 1)));
            }
            return alive;
          }
        });
  }

  @Override
  public List<Departed> departed() {
    return shared.single(
        "looking for departed nodes",
        connection -> {
          try (Call call = DEPARTED.on(connection);
              ResultSet rows = call.query()) {
            List<Departed> departed = new ArrayList<>();
            while (rows.next()) {
              departed.add(new Departed(new NodeId(Columns.uuid(rows, 1)), rows.getBoolean(2)));
            }
            return departed;
          }
        });
  }

  @Override
  public void bury(Duration grace) {
    shared.single(
        "burying departed nodes",
        connection -> {
          try (Call call = BURY.on(connection).with("grace_micros", EpochMicros.lengthOf(grace))) {
            return call.update();
          }
        });
    shared.single(
        "forgetting outcomes that nobody read",
        connection -> {
          try (Call call =
              PURGE
                  .on(connection)
                  .with("kept_micros", EpochMicros.lengthOf(UNREAD_OUTCOMES_KEPT))
                  .with("max_amendments", PURGE_LIMIT)) {
            return call.update();
          }
        });
  }
}
