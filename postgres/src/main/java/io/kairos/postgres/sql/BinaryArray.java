package io.kairos.postgres.sql;

import static java.util.Objects.requireNonNull;

import java.util.UUID;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.ByteConverter;
import org.postgresql.util.PGBinaryObject;
import org.postgresql.util.PGobject;

/**
 * A one-dimensional array parameter in Postgres' binary array format: dimensions, null flag,
 * element type, length, lower bound, then per element its length (or -1) and its bytes, all
 * big-endian. The driver asks for the size, and the elements are then written into the message
 * directly, so that a column of a batch costs one allocation. Used once, on one thread; the arrays
 * are not copied.
 */
public final class BinaryArray extends PGobject implements PGBinaryObject {
  private static final int HEADER_BYTES = 5 * Integer.BYTES;
  private static final int NULL_LENGTH = -1;

  private final transient int elementOid;
  private final transient int length;
  private final transient IntUnaryOperator sizes;
  private final transient Writer writer;

  /** Writes the element at an index, which is not null. */
  private interface Writer {
    void write(int index, byte[] target, int offset);
  }

  /**
   * @param sizes the bytes of the element at an index, {@link #NULL_LENGTH} for null
   */
  private BinaryArray(
      String type, int elementOid, int length, IntUnaryOperator sizes, Writer writer) {
    setType(type);
    this.elementOid = elementOid;
    this.length = length;
    this.sizes = sizes;
    this.writer = writer;
  }

  /** {@code text[]} of strings in UTF-8; elements may be null. */
  public static BinaryArray texts(byte[] @Nullable [] utf8) {
    return ofBytes("_text", 25, utf8);
  }

  /** {@code bytea[]}; elements may be null. */
  public static BinaryArray bytes(byte[] @Nullable [] elements) {
    return ofBytes("_bytea", 17, elements);
  }

  private static BinaryArray ofBytes(String type, int elementOid, byte[] @Nullable [] elements) {
    return new BinaryArray(
        type,
        elementOid,
        elements.length,
        index -> {
          byte[] element = elements[index];
          return element == null ? NULL_LENGTH : element.length;
        },
        (index, target, offset) -> {
          byte[] element = elements[index];
          if (element != null) {
            System.arraycopy(element, 0, target, offset, element.length);
          }
        });
  }

  /** {@code bigint[]} without nulls. */
  public static BinaryArray longs(long[] elements) {
    return longs(elements, null);
  }

  /** {@code bigint[]} that is null where the flag is set. */
  public static BinaryArray longs(long[] elements, boolean @Nullable [] nulls) {
    Writer writer = (index, target, at) -> ByteConverter.int8(target, at, elements[index]);
    return new BinaryArray("_int8", 20, elements.length, sizes(Long.BYTES, nulls), writer);
  }

  /** {@code integer[]} without nulls. */
  public static BinaryArray ints(int[] elements) {
    return ints(elements, null);
  }

  /** {@code integer[]} that is null where the flag is set. */
  public static BinaryArray ints(int[] elements, boolean @Nullable [] nulls) {
    Writer writer = (index, target, at) -> ByteConverter.int4(target, at, elements[index]);
    return new BinaryArray("_int4", 23, elements.length, sizes(Integer.BYTES, nulls), writer);
  }

  /** {@code double precision[]} that is null where the flag is set. */
  public static BinaryArray doubles(double[] elements, boolean[] nulls) {
    Writer writer = (index, target, at) -> ByteConverter.float8(target, at, elements[index]);
    return new BinaryArray("_float8", 701, elements.length, sizes(Double.BYTES, nulls), writer);
  }

  /** {@code uuid[]} without nulls. The driver must be told to send this type in binary. */
  public static BinaryArray uuids(UUID[] elements) {
    Writer writer =
        (index, target, at) -> {
          ByteConverter.int8(target, at, elements[index].getMostSignificantBits());
          ByteConverter.int8(target, at + Long.BYTES, elements[index].getLeastSignificantBits());
        };
    return new BinaryArray("_uuid", 2950, elements.length, sizes(2 * Long.BYTES, null), writer);
  }

  private static IntUnaryOperator sizes(int bytes, boolean @Nullable [] nulls) {
    return nulls == null ? _ -> bytes : index -> nulls[index] ? NULL_LENGTH : bytes;
  }

  /**
   * Returns this column, or an empty array, which stands for a column of nulls, if all elements are
   * null.
   */
  public BinaryArray emptyIfAllNull() {
    for (int i = 0; i < length; i++) {
      if (sizes.applyAsInt(i) != NULL_LENGTH) {
        return this;
      }
    }
    return new BinaryArray(requireNonNull(getType()), elementOid, 0, sizes, writer);
  }

  @Override
  public int lengthInBytes() {
    int bytes = HEADER_BYTES + length * Integer.BYTES;
    for (int i = 0; i < length; i++) {
      bytes = Math.addExact(bytes, Math.max(0, sizes.applyAsInt(i)));
    }
    return bytes;
  }

  @Override
  public void toBytes(byte[] target, int offset) {
    boolean anyNull = false;
    int at = offset + HEADER_BYTES;
    for (int i = 0; i < length; i++) {
      int size = sizes.applyAsInt(i);
      ByteConverter.int4(target, at, size);
      at += Integer.BYTES;
      if (size == NULL_LENGTH) {
        anyNull = true;
      } else {
        writer.write(i, target, at);
        at += size;
      }
    }
    ByteConverter.int4(target, offset, 1);
    ByteConverter.int4(target, offset + 4, anyNull ? 1 : 0);
    ByteConverter.int4(target, offset + 8, elementOid);
    ByteConverter.int4(target, offset + 12, length);
    ByteConverter.int4(target, offset + 16, 1);
  }

  @Override
  public void setByteValue(byte[] value, int offset) {
    throw new UnsupportedOperationException("a parameter is only written");
  }

  /**
   * Throws: the driver calls this method only in text format, which is too slow for tens of rows
   * per millisecond.
   */
  @Override
  public String getValue() {
    throw new IllegalStateException(
        "binary transfer of " + getType() + " is switched off: take binaryTransfer out of the URL");
  }

  /** Shows no elements, which may be payload. */
  @Override
  public String toString() {
    return getType() + " of " + length;
  }

  @Override
  public Object clone() {
    throw new UnsupportedOperationException("a parameter is used once");
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }
}
