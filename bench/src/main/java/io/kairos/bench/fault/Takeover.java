package io.kairos.bench.fault;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;

/**
 * Finds out what a killed node held, from the store, before anybody takes it over: the rows of the
 * one node that has stopped renewing.
 */
final class Takeover {
  /** Three renewals at the shipped interval; less than half of the lapse. */
  private static final String SILENT_FOR = "650 milliseconds";

  /**
   * A node sends up to the timing advance before the due time, so what is due later it cannot have
   * sent.
   */
  private static final long SENT_AHEAD_AT_MOST_MICROS = 150_000;

  private static final String SILENT_NODES =
      "select id from node where retired_at is null and renewed_at < clock_timestamp() - interval '"
          + SILENT_FOR
          + "'";
  private static final String HELD =
      "select id from delayed_message where readied_by = ? and deadline > ?";

  private final Connection connection;
  private final Set<UUID> knownDead = new HashSet<>();

  Takeover(Connection connection) {
    this.connection = connection;
  }

  /**
   * The sequence numbers of messages that the node killed at that moment held and cannot have sent.
   * Looks until the dead node shows, empty when it does not.
   */
  List<Long> heldByTheDead(Scene scene, long killedAtMicros) throws SQLException {
    long until = System.nanoTime() + Duration.ofSeconds(3).toNanos();
    while (System.nanoTime() - until < 0) {
      Optional<UUID> dead = silent();
      if (dead.isPresent()) {
        knownDead.add(dead.get());
        return held(dead.get(), killedAtMicros + SENT_AHEAD_AT_MOST_MICROS);
      }
      scene.goOn(Duration.ofMillis(10));
    }
    return List.of();
  }

  private Optional<UUID> silent() throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SILENT_NODES);
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        UUID id = row.getObject(1, UUID.class);
        if (id != null && !knownDead.contains(id)) {
          return Optional.of(id);
        }
      }
      return Optional.empty();
    }
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

  /** Forgets what was silent for other reasons, for example nodes killed before. */
  void ignorePresentSilence() throws SQLException {
    Optional<UUID> silent = silent();
    while (silent.isPresent()) {
      knownDead.add(silent.get());
      silent = silent();
    }
  }

  /** When the first of these messages came, microseconds since the epoch; empty while none has. */
  static OptionalLong firstArrival(Scene scene, List<Long> sequences) {
    return sequences.stream().mapToLong(scene.arrivals()::atMicros).filter(at -> at != 0).min();
  }

  static boolean allArrived(Scene scene, List<Long> sequences) {
    return sequences.stream().mapToLong(scene.arrivals()::atMicros).allMatch(at -> at != 0);
  }
}
