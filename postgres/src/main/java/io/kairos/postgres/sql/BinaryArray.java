package io.kairos.postgres.sql;

import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.ByteConverter;
import org.postgresql.util.PGBinaryObject;
import org.postgresql.util.PGobject;

/**
 * A one-dimensional array parameter in Postgres' binary array format: dimensions, null flag,
 * element type, length, lower bound, then per element its length (or -1) and its bytes, all
 * big-endian. The driver asks for the size and then lets the elements be written straight into the
 * message, so that a column of a batch costs one allocation. Used once, on one thread; the arrays
 * are not copied.
 */
public abstract sealed class BinaryArray extends PGobject implements PGBinaryObject {
  private static final int HEADER_BYTES = 5 * Integer.BYTES;
  private static final int NULL_LENGTH = -1;

  private final transient int elementOid;

  private BinaryArray(String type, int elementOid) {
    setType(type);
    this.elementOid = elementOid;
  }

  /** {@code text[]} of strings in UTF-8; elements may be null. */
  public static BinaryArray texts(byte[] @Nullable [] utf8) {
    return new Bytes("_text", 25, utf8);
  }

  /** {@code bytea[]}; elements may be null. */
  public static BinaryArray bytes(byte[] @Nullable [] elements) {
    return new Bytes("_bytea", 17, elements);
  }

  /** {@code bigint[]} without nulls. */
  public static BinaryArray longs(long[] elements) {
    return new Longs(elements, null);
  }

  /** {@code bigint[]} that is null where the flag is set. */
  public static BinaryArray longs(long[] elements, boolean[] nulls) {
    return new Longs(elements, nulls);
  }

  /** {@code integer[]} without nulls. */
  public static BinaryArray ints(int[] elements) {
    return new Ints(elements, null);
  }

  /** {@code integer[]} that is null where the flag is set. */
  public static BinaryArray ints(int[] elements, boolean[] nulls) {
    return new Ints(elements, nulls);
  }

  /** {@code double precision[]} that is null where the flag is set. */
  public static BinaryArray doubles(double[] elements, boolean[] nulls) {
    return new Doubles(elements, nulls);
  }

  /** {@code uuid[]} without nulls. The driver must be told to send this type in binary. */
  public static BinaryArray uuids(UUID[] elements) {
    return new Uuids(elements);
  }

  abstract int length();

  abstract boolean isNull(int index);

  abstract int elementBytes(int index);

  abstract void writeElement(int index, byte[] target, int offset);

  @Override
  public int lengthInBytes() {
    int length = length();
    int bytes = HEADER_BYTES + length * Integer.BYTES;
    for (int i = 0; i < length; i++) {
      if (!isNull(i)) {
        bytes = Math.addExact(bytes, elementBytes(i));
      }
    }
    return bytes;
  }

  @Override
  public void toBytes(byte[] target, int offset) {
    int length = length();
    boolean anyNull = false;
    int at = offset + HEADER_BYTES;
    for (int i = 0; i < length; i++) {
      if (isNull(i)) {
        anyNull = true;
        ByteConverter.int4(target, at, NULL_LENGTH);
        at += Integer.BYTES;
      } else {
        int size = elementBytes(i);
        ByteConverter.int4(target, at, size);
        writeElement(i, target, at + Integer.BYTES);
        at += Integer.BYTES + size;
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

  /** Would be asked for if the driver chose text format; it must not, at tens of rows per ms. */
  @Override
  public String getValue() {
    throw new IllegalStateException(
        "binary transfer of " + getType() + " is switched off: take binaryTransfer out of the URL");
  }

  /** Payload may be inside. */
  @Override
  public String toString() {
    return getType() + " of " + length();
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

  private static final class Bytes extends BinaryArray {
    private final transient byte[] @Nullable [] elements;

    Bytes(String type, int elementOid, byte[] @Nullable [] elements) {
      super(type, elementOid);
      this.elements = elements;
    }

    @Override
    int length() {
      return elements.length;
    }

    @Override
    boolean isNull(int index) {
      return elements[index] == null;
    }

    @Override
    int elementBytes(int index) {
      byte[] element = elements[index];
      return element == null ? 0 : element.length;
    }

    @Override
    void writeElement(int index, byte[] target, int offset) {
      byte[] element = elements[index];
      if (element != null) {
        System.arraycopy(element, 0, target, offset, element.length);
      }
    }
  }

  private static final class Longs extends BinaryArray {
    private final transient long[] elements;
    private final transient boolean @Nullable [] nulls;

    Longs(long[] elements, boolean @Nullable [] nulls) {
      super("_int8", 20);
      this.elements = elements;
      this.nulls = nulls;
    }

    @Override
    int length() {
      return elements.length;
    }

    @Override
    boolean isNull(int index) {
      return nulls != null && nulls[index];
    }

    @Override
    int elementBytes(int index) {
      return Long.BYTES;
    }

    @Override
    void writeElement(int index, byte[] target, int offset) {
      ByteConverter.int8(target, offset, elements[index]);
    }
  }

  private static final class Ints extends BinaryArray {
    private final transient int[] elements;
    private final transient boolean @Nullable [] nulls;

    Ints(int[] elements, boolean @Nullable [] nulls) {
      super("_int4", 23);
      this.elements = elements;
      this.nulls = nulls;
    }

    @Override
    int length() {
      return elements.length;
    }

    @Override
    boolean isNull(int index) {
      return nulls != null && nulls[index];
    }

    @Override
    int elementBytes(int index) {
      return Integer.BYTES;
    }

    @Override
    void writeElement(int index, byte[] target, int offset) {
      ByteConverter.int4(target, offset, elements[index]);
    }
  }

  private static final class Doubles extends BinaryArray {
    private final transient double[] elements;
    private final transient boolean[] nulls;

    Doubles(double[] elements, boolean[] nulls) {
      super("_float8", 701);
      this.elements = elements;
      this.nulls = nulls;
    }

    @Override
    int length() {
      return elements.length;
    }

    @Override
    boolean isNull(int index) {
      return nulls[index];
    }

    @Override
    int elementBytes(int index) {
      return Double.BYTES;
    }

    @Override
    void writeElement(int index, byte[] target, int offset) {
      ByteConverter.float8(target, offset, elements[index]);
    }
  }

  private static final class Uuids extends BinaryArray {
    private final transient UUID[] elements;

    Uuids(UUID[] elements) {
      super("_uuid", 2950);
      this.elements = elements;
    }

    @Override
    int length() {
      return elements.length;
    }

    @Override
    boolean isNull(int index) {
      return false;
    }

    @Override
    int elementBytes(int index) {
      return 2 * Long.BYTES;
    }

    @Override
    void writeElement(int index, byte[] target, int offset) {
      ByteConverter.int8(target, offset, elements[index].getMostSignificantBits());
      ByteConverter.int8(target, offset + Long.BYTES, elements[index].getLeastSignificantBits());
    }
  }
}
