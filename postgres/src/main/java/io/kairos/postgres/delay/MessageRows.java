package io.kairos.postgres.delay;

import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.Fence;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.queue.MessageOutput;
import io.kairos.engine.delay.port.ClaimedMessage;
import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.NullableColumns;
import io.kairos.postgres.sql.SqlCall;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;

/** Reads messages. Every statement that returns messages has these columns first, in this order. */
final class MessageRows {
  /** How many columns these are. */
  static final int WIDTH = 9;

  private static final Comparator<ClaimedMessage> EARLIEST_FIRST =
      Comparator.comparingLong(claimed -> claimed.message().dueMicros());

  private MessageRows() {}

  /** Reads all messages that a statement returns with one fence, earliest due first. */
  static List<ClaimedMessage> under(Fence fence, SqlCall call) {
    List<ClaimedMessage> claimed = call.list(row -> claimed(fence, row));
    claimed.sort(EARLIEST_FIRST);
    return claimed;
  }

  static ClaimedMessage claimed(Fence fence, ResultSet row) throws SQLException {
    DelayedMessage message =
        new DelayedMessage(
            new RouteId(row.getInt(1)),
            new MessageId(NonNullColumns.text(row, 2)),
            row.getLong(3),
            NullableColumns.text(row, 4, MessageOutput::ofLabel),
            NonNullColumns.bytes(row, 5),
            row.getBytes(6),
            row.getBytes(7));
    return new ClaimedMessage(message, fence, row.getBoolean(8), row.getBoolean(9));
  }

  static NodeId node(ResultSet row, int column) throws SQLException {
    return new NodeId(NonNullColumns.uuid(row, column));
  }
}
