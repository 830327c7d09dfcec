package io.kairos.postgres.sql;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The columns of rows that one statement writes, as arrays that go with each other. */
public final class Batch {
  private Batch() {}

  /** {@code text[]}. */
  public static <T> BinaryArray texts(List<T> rows, Function<T, @Nullable String> column) {
    byte[] @Nullable [] utf8 = new byte[rows.size()][];
    for (int i = 0; i < utf8.length; i++) {
      String text = column.apply(rows.get(i));
      utf8[i] = text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }
    return BinaryArray.texts(utf8);
  }

  /** {@code bytea[]}. */
  public static <T> BinaryArray bytes(List<T> rows, Function<T, byte @Nullable []> column) {
    byte[] @Nullable [] values = new byte[rows.size()][];
    for (int i = 0; i < values.length; i++) {
      values[i] = column.apply(rows.get(i));
    }
    return BinaryArray.bytes(values);
  }

  /** {@code bigint[]}. */
  public static <T> BinaryArray longs(List<T> rows, Function<T, @Nullable Long> column) {
    long[] values = new long[rows.size()];
    boolean[] nulls = new boolean[values.length];
    for (int i = 0; i < values.length; i++) {
      Long value = column.apply(rows.get(i));
      nulls[i] = value == null;
      values[i] = value == null ? 0 : value;
    }
    return BinaryArray.longs(values, nulls);
  }
}
