package io.kairos.bench.fault;

import io.kairos.bench.load.WallClock;
import io.kairos.bench.rig.NodeProcess;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;

/** Finds out what a killed node held, from the store, before anybody takes it over. */
final class Takeover {
  /**
   * A node sends up to the timing advance before the due time, so what is due later it cannot have
   * sent.
   */
  private static final long SENT_AHEAD_AT_MOST_MICROS = 150_000;

  private static final String HELD =
      "select id from delayed_message where readied_by = ? and deadline > ?";

  private final Connection connection;

  Takeover(Connection connection) {
    this.connection = connection;
  }

  /**
   * The sequence numbers of messages that the node killed at that moment held and cannot have sent.
   */
  List<Long> heldByTheDead(NodeProcess dead, long killedAtMicros) throws SQLException {
    return held(dead.nodeId(), killedAtMicros + SENT_AHEAD_AT_MOST_MICROS);
  }

  /** Whether the node holds messages that are due in more than the given time. */
  boolean holds(NodeProcess node, Duration ahead) throws SQLException {
    return !held(node.nodeId(), WallClock.micros() + ahead.toNanos() / 1_000).isEmpty();
  }

  private List<Long> held(UUID node, long dueAfterMicros) throws SQLException {
    List<Long> sequences = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(HELD)) {
      statement.setObject(1, node);
      statement.setLong(2, dueAfterMicros);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          String id = row.getString(1);
          if (id != null) {
            sequences.add(Long.parseLong(id.substring(id.indexOf('-') + 1)));
          }
        }
      }
    }
    return sequences;
  }

  /** When the first of these messages came, microseconds since the epoch; empty while none has. */
  static OptionalLong firstArrival(Scene scene, List<Long> sequences) {
    return sequences.stream().mapToLong(scene.arrivals()::atMicros).filter(at -> at != 0).min();
  }
}
