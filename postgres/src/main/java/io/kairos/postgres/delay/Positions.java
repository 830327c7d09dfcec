package io.kairos.postgres.delay;

import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import io.kairos.engine.delay.port.OffsetMove;
import io.kairos.engine.delay.port.TopicId;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.Call;
import io.kairos.postgres.sql.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What has been stored of each input partition. Moving a position locks its row until the batch is
 * stored; reading locks it too, and so waits for the batch of a node that has just lost the
 * partition. A row without an offset stands for a partition of which nothing has been stored: it is
 * there to be locked.
 */
final class Positions {
  private static final Sql RESERVE = Sql.load(Positions.class, "positions_reserve.sql");
  private static final Sql READ = Sql.load(Positions.class, "positions_read.sql");
  private static final Sql MOVE = Sql.load(Positions.class, "positions_move.sql");

  private Positions() {}

  static Map<Integer, Long> read(
      Connection connection, RouteId route, TopicId topic, Collection<Integer> partitions)
      throws SQLException {
    int[] sorted = partitions.stream().mapToInt(Integer::intValue).sorted().distinct().toArray();
    reserve(connection, route, topic, sorted);
    Map<Integer, Long> positions = new HashMap<>();
    try (Call call =
            READ.on(connection)
                .with("route", route.value())
                .with("topic", topic.value())
                .with("partitions", BinaryArray.ints(sorted));
        ResultSet rows = call.query()) {
      while (rows.next()) {
        long next = rows.getLong(2);
        if (!rows.wasNull()) {
          positions.put(rows.getInt(1), next);
        }
      }
    }
    return positions;
  }

  /**
   * Moves all positions on behalf of a node that has not been buried, or none and returns false.
   * Must come first in its transaction, because it may roll back.
   */
  static boolean move(Connection connection, RouteId route, NodeId node, List<OffsetMove> moves)
      throws SQLException {
    List<OffsetMove> sorted =
        moves.stream().sorted(Comparator.comparingInt(OffsetMove::partition)).toList();
    if (sorted.isEmpty() || tryMove(connection, route, node, sorted)) {
      return true;
    }
    connection.rollback();
    reserve(
        connection,
        route,
        sorted.getFirst().topic(),
        sorted.stream().mapToInt(OffsetMove::partition).toArray());
    if (tryMove(connection, route, node, sorted)) {
      return true;
    }
    connection.rollback();
    return false;
  }

  private static boolean tryMove(
      Connection connection, RouteId route, NodeId node, List<OffsetMove> moves)
      throws SQLException {
    try (Call call =
        MOVE.on(connection)
            .with("route", route.value())
            .with("topic", moves.getFirst().topic().value())
            .with("node", node.value())
            .with(
                "partitions",
                BinaryArray.ints(moves.stream().mapToInt(OffsetMove::partition).toArray()))
            .with(
                "expected",
                BinaryArray.longs(moves.stream().mapToLong(OffsetMove::expected).toArray()))
            .with(
                "next", BinaryArray.longs(moves.stream().mapToLong(OffsetMove::next).toArray()))) {
      return call.update() == moves.size();
    }
  }

  private static void reserve(Connection connection, RouteId route, TopicId topic, int[] partitions)
      throws SQLException {
    try (Call call =
        RESERVE
            .on(connection)
            .with("route", route.value())
            .with("topic", topic.value())
            .with("partitions", BinaryArray.ints(partitions))) {
      call.update();
    }
  }
}
