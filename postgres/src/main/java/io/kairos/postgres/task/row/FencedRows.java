package io.kairos.postgres.task.row;

import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.TaskId;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.ColumnBatch;
import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.SqlCall;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Changes of tasks, each with the fence that the task must still carry: the parameters of every
 * fenced statement. They are sorted by id, the order in which statements lock rows, so that two
 * statements cannot deadlock on them.
 *
 * @param <T> the change of one task
 */
public record FencedRows<T>(List<T> changes, Function<T, FencedTask> task) {
  public static <T> FencedRows<T> of(Collection<T> changes, Function<T, FencedTask> task) {
    List<T> sorted = new ArrayList<>(changes);
    sorted.sort(Comparator.comparing(change -> task.apply(change).id()));
    return new FencedRows<>(sorted, task);
  }

  public static FencedRows<FencedTask> of(Collection<FencedTask> tasks) {
    return of(tasks, Function.identity());
  }

  public SqlCall bind(SqlCall call) {
    UUID[] ids = new UUID[changes.size()];
    long[] fences = new long[ids.length];
    for (int i = 0; i < ids.length; i++) {
      FencedTask one = task.apply(changes.get(i));
      ids[i] = one.id().value();
      fences[i] = one.fence();
    }
    return call.with("ids", BinaryArray.uuids(ids)).with("fences", BinaryArray.longs(fences));
  }

  /** A column of texts that goes with the ids. */
  public BinaryArray texts(Function<T, @Nullable String> text) {
    return ColumnBatch.texts(changes, text);
  }

  /** Runs a statement whose first columns are id and fence. */
  public static Set<FencedTask> returnedBy(SqlCall call) {
    return call.set(FencedRows::read);
  }

  public static FencedTask read(ResultSet row) throws SQLException {
    return new FencedTask(new TaskId(NonNullColumns.uuid(row, 1)), row.getLong(2));
  }
}
