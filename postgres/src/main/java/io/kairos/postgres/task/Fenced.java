package io.kairos.postgres.task;

import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.TaskId;
import io.kairos.postgres.sql.Batch;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.Call;
import io.kairos.postgres.sql.Columns;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a caller wants of tasks, each with the fence that it must still carry: the parameters of
 * every fenced statement. In the order of the ids, in which the statements lock, so that two of
 * them wait for each other at most one way round.
 *
 * @param <T> what the caller wants of one
 */
record Fenced<T>(List<T> wishes, Function<T, FencedTask> task) {
  static <T> Fenced<T> of(Collection<T> wishes, Function<T, FencedTask> task) {
    List<T> sorted = new ArrayList<>(wishes);
    sorted.sort(Comparator.comparing(wish -> task.apply(wish).id()));
    return new Fenced<>(sorted, task);
  }

  static Fenced<FencedTask> of(Collection<FencedTask> tasks) {
    return of(tasks, Function.identity());
  }

  Call bind(Call call) throws SQLException {
    UUID[] ids = new UUID[wishes.size()];
    long[] fences = new long[ids.length];
    for (int i = 0; i < ids.length; i++) {
      FencedTask one = task.apply(wishes.get(i));
      ids[i] = one.id().value();
      fences[i] = one.fence();
    }
    return call.with("ids", BinaryArray.uuids(ids)).with("fences", BinaryArray.longs(fences));
  }

  /** A column of texts that goes with the ids. */
  BinaryArray texts(Function<T, @Nullable String> text) {
    return Batch.texts(wishes, text);
  }

  /** Runs a statement whose first columns are id and fence. */
  static Set<FencedTask> returnedBy(Call call) throws SQLException {
    Set<FencedTask> returned = new HashSet<>();
    try (ResultSet rows = call.query()) {
      while (rows.next()) {
        returned.add(read(rows));
      }
    }
    return returned;
  }

  static FencedTask read(ResultSet row) throws SQLException {
    return new FencedTask(new TaskId(Columns.uuid(row, 1)), row.getLong(2));
  }
}
