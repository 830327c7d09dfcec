package io.kairos.postgres.delay;

import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.Fence;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.Output;
import io.kairos.engine.delay.port.Claimed;
import io.kairos.postgres.sql.Columns;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the columns that every statement which returns messages has first, in this order. */
final class MessageRows {
  private static final int ROUTE = 1;
  private static final int ID = 2;
  private static final int DEADLINE = 3;
  private static final int OUTPUT = 4;
  private static final int HEADERS = 5;
  private static final int KEY = 6;
  private static final int VALUE = 7;
  private static final int AMENDED = 8;
  private static final int MAYBE_FIRED = 9;

  /** How many columns these are. */
  static final int WIDTH = MAYBE_FIRED;

  private static final Comparator<Claimed> EARLIEST_FIRST =
      Comparator.comparingLong(claimed -> claimed.message().dueMicros());

  private MessageRows() {}

  /** Everything that a statement returned under one pair, earliest due first. */
  static List<Claimed> under(Fence fence, ResultSet rows) throws SQLException {
    List<Claimed> claimed = new ArrayList<>();
    while (rows.next()) {
      claimed.add(claimed(fence, rows));
    }
    claimed.sort(EARLIEST_FIRST);
    return claimed;
  }

  static Claimed claimed(Fence fence, ResultSet row) throws SQLException {
    DelayedMessage message =
        new DelayedMessage(
            new RouteId(row.getInt(ROUTE)),
            new MessageId(Columns.text(row, ID)),
            row.getLong(DEADLINE),
            output(row.getString(OUTPUT)),
            Columns.bytes(row, HEADERS),
            row.getBytes(KEY),
            row.getBytes(VALUE));
    return new Claimed(message, fence, row.getBoolean(AMENDED), row.getBoolean(MAYBE_FIRED));
  }

  private static @Nullable Output output(@Nullable String label) {
    return label == null ? null : Output.ofLabel(label);
  }

  static NodeId node(ResultSet row, int column) throws SQLException {
    return new NodeId(Columns.uuid(row, column));
  }
}
