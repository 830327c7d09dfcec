package io.kairos.postgres.delay;

import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.RouteId;
import io.kairos.postgres.sql.BinaryArray;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.function.Function;

/**
 * A row that a statement is about to touch. Every statement that locks many rows gets them sorted
 * by route and id, in the order of the primary key's index: so two statements wait for each other
 * at most one way round, and neighbouring rows share index pages.
 *
 * @param id in UTF-8
 */
@SuppressWarnings("ArrayRecordComponent") // compared by compareTo alone
record Row<T>(int route, byte[] id, T what) implements Comparable<Row<T>> {
  Row(RouteId route, MessageId id, T what) {
    this(route.value(), id.value().getBytes(StandardCharsets.UTF_8), what);
  }

  @Override
  public int compareTo(Row<T> other) {
    int byRoute = Integer.compare(route, other.route);
    return byRoute != 0 ? byRoute : Arrays.compareUnsigned(id, other.id);
  }

  /** Rows in the order of the primary key. */
  static <T> Row<T>[] sorted(Collection<? extends T> things, Function<T, Row<T>> row) {
    @SuppressWarnings({"unchecked", "rawtypes"})
    Row<T>[] rows = new Row[things.size()];
    int n = 0;
    for (T thing : things) {
      rows[n++] = row.apply(thing);
    }
    Arrays.sort(rows);
    return rows;
  }

  static BinaryArray routes(Row<?>[] rows) {
    int[] routes = new int[rows.length];
    for (int i = 0; i < rows.length; i++) {
      routes[i] = rows[i].route;
    }
    return BinaryArray.ints(routes);
  }

  static BinaryArray ids(Row<?>[] rows) {
    byte[][] ids = new byte[rows.length][];
    for (int i = 0; i < rows.length; i++) {
      ids[i] = rows[i].id;
    }
    return BinaryArray.texts(ids);
  }
}
