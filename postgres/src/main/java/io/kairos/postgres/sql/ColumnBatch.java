package io.kairos.postgres.sql;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Makes arrays of the columns of rows that one statement writes. */
public final class ColumnBatch {
  private ColumnBatch() {}

  /** {@code text[]}. */
  public static <T> BinaryArray texts(Collection<T> rows, Function<T, @Nullable String> column) {
    return BinaryArray.texts(
        elements(
            rows,
            row -> {
              String text = column.apply(row);
              return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
            }));
  }

  /** {@code text[]} of the texts of values, of which some may be null. */
  public static <T, V> BinaryArray texts(
      Collection<T> rows, Function<T, @Nullable V> column, Function<V, String> text) {
    return texts(
        rows,
        row -> {
          V value = column.apply(row);
          return value == null ? null : text.apply(value);
        });
  }

  /** {@code bytea[]}. */
  public static <T> BinaryArray bytes(Collection<T> rows, Function<T, byte @Nullable []> column) {
    return BinaryArray.bytes(elements(rows, column));
  }

  private static <T> byte[] @Nullable [] elements(
      Collection<T> rows, Function<T, byte @Nullable []> column) {
    byte[] @Nullable [] elements = new byte[rows.size()][];
    int i = 0;
    for (T row : rows) {
      elements[i++] = column.apply(row);
    }
    return elements;
  }

  /** {@code uuid[]}. */
  public static <T> BinaryArray uuids(Collection<T> rows, Function<T, UUID> column) {
    UUID[] values = new UUID[rows.size()];
    int i = 0;
    for (T row : rows) {
      values[i++] = column.apply(row);
    }
    return BinaryArray.uuids(values);
  }

  /** {@code integer[]}. */
  public static <T> BinaryArray ints(Collection<T> rows, ToIntFunction<T> column) {
    int[] values = new int[rows.size()];
    int i = 0;
    for (T row : rows) {
      values[i++] = column.applyAsInt(row);
    }
    return BinaryArray.ints(values);
  }

  /** {@code bigint[]}. */
  public static <T> BinaryArray longs(Collection<T> rows, ToLongFunction<T> column) {
    long[] values = new long[rows.size()];
    int i = 0;
    for (T row : rows) {
      values[i++] = column.applyAsLong(row);
    }
    return BinaryArray.longs(values);
  }

  /** {@code bigint[]}. */
  public static <T> BinaryArray longsOrNulls(
      Collection<T> rows, Function<T, @Nullable Long> column) {
    long[] values = new long[rows.size()];
    boolean[] nulls = new boolean[values.length];
    int i = 0;
    for (T row : rows) {
      Long value = column.apply(row);
      nulls[i] = value == null;
      values[i++] = value == null ? 0 : value;
    }
    return BinaryArray.longs(values, nulls);
  }
}
