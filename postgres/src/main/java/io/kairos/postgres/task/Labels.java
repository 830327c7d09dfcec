package io.kairos.postgres.task;

import io.kairos.domain.task.CollectionName;
import io.kairos.domain.task.OrderingKey;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** What few tasks have, as columns that may be null. */
final class Labels {
  private Labels() {}

  static @Nullable OrderingKey key(ResultSet row, int column) throws SQLException {
    String key = row.getString(column);
    return key == null ? null : new OrderingKey(key);
  }

  static @Nullable CollectionName collection(ResultSet row, int column) throws SQLException {
    String collection = row.getString(column);
    return collection == null ? null : new CollectionName(collection);
  }
}
