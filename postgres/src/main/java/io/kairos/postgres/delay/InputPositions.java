package io.kairos.postgres.delay;

import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import io.kairos.engine.delay.port.OffsetMove;
import io.kairos.engine.delay.port.TopicId;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.ColumnBatch;
import io.kairos.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The positions up to which input partitions have been stored. Moving a position locks its row
 * until the batch is stored. Reading locks the row, too, and so waits for the batch of a node that
 * has just lost the partition. A row without an offset stands for a partition of which nothing has
 * been stored: it exists to be locked.
 */
final class InputPositions {
  private static final SqlStatement RESERVE = SqlStatement.load("delay/positions_reserve.sql");
  private static final SqlStatement READ = SqlStatement.load("delay/positions_read.sql");
  private static final SqlStatement MOVE = SqlStatement.load("delay/positions_move.sql");

  private InputPositions() {}

  static Map<Integer, Long> read(
      Connection connection, RouteId route, TopicId topic, Collection<Integer> partitions) {
    int[] sorted = partitions.stream().mapToInt(Integer::intValue).sorted().distinct().toArray();
    reserve(connection, route, topic, sorted);
    Map<Integer, Long> positions = new HashMap<>();
    READ.on(connection)
        .with("route", route.value())
        .with("topic", topic.value())
        .with("partitions", BinaryArray.ints(sorted))
        .each(row -> {
          long next = row.getLong(2);
          if (!row.wasNull()) {
            positions.put(row.getInt(1), next);
          }
        });
    return positions;
  }

  /**
   * Moves all positions for a node that has not been buried, or none. Must come first in its
   * transaction, because it may roll back.
   *
   * @return true when all were moved
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
      Connection connection, RouteId route, NodeId node, List<OffsetMove> moves) {
    int moved =
        MOVE.on(connection)
            .with("route", route.value())
            .with("topic", moves.getFirst().topic().value())
            .with("node", node.value())
            .with("partitions", ColumnBatch.ints(moves, OffsetMove::partition))
            .with("expected", ColumnBatch.longs(moves, OffsetMove::expected))
            .with("next", ColumnBatch.longs(moves, OffsetMove::next))
            .update();
    return moved == moves.size();
  }

  private static void reserve(
      Connection connection, RouteId route, TopicId topic, int[] partitions) {
    RESERVE
        .on(connection)
        .with("route", route.value())
        .with("topic", topic.value())
        .with("partitions", BinaryArray.ints(partitions))
        .update();
  }
}
