package io.kairos.postgres.sql;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.postgres.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What is sent as a binary array is what Postgres reads, nulls and empty ones included. */
final class BinaryArrayTest {
  private static Connection connection;

  @BeforeAll
  static void connect() throws SQLException {
    connection = TestDatabase.create().connect();
  }

  @AfterAll
  static void disconnect() throws SQLException {
    connection.close();
  }

  @Test
  void texts_keep_every_character_and_nulls() throws SQLException {
    byte[][] utf8 = {
      utf8("plain"), null, utf8(""), utf8("ü€😀\u0001"), utf8("NULL"), utf8("{,\"\\")
    };

    assertThat((Object[]) returned("text[]", BinaryArray.texts(utf8)))
        .containsExactly("plain", null, "", "ü€😀\u0001", "NULL", "{,\"\\");
  }

  @Test
  void bytes_keep_every_byte_and_nulls() throws SQLException {
    byte[] all = new byte[256];
    for (int i = 0; i < all.length; i++) {
      all[i] = (byte) i;
    }

    Object[] returned =
        (Object[]) returned("bytea[]", BinaryArray.bytes(new byte[][] {all, null, {}}));

    assertThat((byte[]) returned[0]).isEqualTo(all);
    assertThat(returned[1]).isNull();
    assertThat((byte[]) returned[2]).isEmpty();
  }

  @Test
  void numbers_keep_their_extremes_and_nulls() throws SQLException {
    long[] longs = {0, -1, Long.MIN_VALUE, Long.MAX_VALUE, 7};
    int[] ints = {0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, 7};
    boolean[] nulls = {false, false, false, false, true};

    assertThat((Object[]) returned("bigint[]", BinaryArray.longs(longs)))
        .containsExactly(0L, -1L, Long.MIN_VALUE, Long.MAX_VALUE, 7L);
    assertThat((Object[]) returned("bigint[]", BinaryArray.longs(longs, nulls)))
        .containsExactly(0L, -1L, Long.MIN_VALUE, Long.MAX_VALUE, null);
    assertThat((Object[]) returned("integer[]", BinaryArray.ints(ints)))
        .containsExactly(0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, 7);
    assertThat((Object[]) returned("integer[]", BinaryArray.ints(ints, nulls)))
        .containsExactly(0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, null);
  }

  @Test
  void fractions_and_uuids_keep_every_bit() throws SQLException {
    double[] doubles = {0, -0.1, Double.MIN_VALUE, Double.MAX_VALUE, 7};
    boolean[] nulls = {false, false, false, false, true};
    UUID[] uuids = {new UUID(0, 0), new UUID(-1, -1), new UUID(1, Long.MIN_VALUE)};

    assertThat((Object[]) returned("double precision[]", BinaryArray.doubles(doubles, nulls)))
        .containsExactly(0.0, -0.1, Double.MIN_VALUE, Double.MAX_VALUE, null);
    assertThat((Object[]) returned("uuid[]", BinaryArray.uuids(uuids)))
        .containsExactly((Object[]) uuids);
  }

  @Test
  void empty_arrays_are_empty() throws SQLException {
    assertThat((Object[]) returned("text[]", BinaryArray.texts(new byte[0][]))).isEmpty();
    assertThat((Object[]) returned("bytea[]", BinaryArray.bytes(new byte[0][]))).isEmpty();
    assertThat((Object[]) returned("bigint[]", BinaryArray.longs(new long[0]))).isEmpty();
    assertThat((Object[]) returned("integer[]", BinaryArray.ints(new int[0]))).isEmpty();
    assertThat((Object[]) returned("uuid[]", BinaryArray.uuids(new UUID[0]))).isEmpty();
  }

  private static Object returned(String type, BinaryArray sent) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement("select ?::" + type)) {
      statement.setObject(1, sent);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        Array array = requireNonNull(row.getArray(1));
        return array.getArray();
      }
    }
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
