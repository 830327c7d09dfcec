package io.kairos.domain.delay;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Headers as one byte array: per header the length of the name, the name in UTF-8, the length of
 * the value or -1 for null, the value; lengths are big-endian ints. Keeps order, repeats, nulls and
 * every byte, which neither {@code jsonb} nor {@code text} do. A list without headers is an empty
 * array.
 */
public final class HeaderCodec {
  private static final byte[] NONE = {};
  private static final int NULL_VALUE = -1;

  private HeaderCodec() {}

  public static byte[] encode(List<MessageHeader> headers) {
    if (headers.isEmpty()) {
      return NONE;
    }
    byte[][] names = new byte[headers.size()][];
    int size = 0;
    for (int i = 0; i < names.length; i++) {
      MessageHeader header = headers.get(i);
      names[i] = header.name().getBytes(StandardCharsets.UTF_8);
      byte[] value = header.value();
      size =
          Math.addExact(
              size, 2 * Integer.BYTES + names[i].length + (value == null ? 0 : value.length));
    }
    ByteBuffer out = ByteBuffer.allocate(size);
    for (int i = 0; i < names.length; i++) {
      out.putInt(names[i].length).put(names[i]);
      byte[] value = headers.get(i).value();
      if (value == null) {
        out.putInt(NULL_VALUE);
      } else {
        out.putInt(value.length).put(value);
      }
    }
    return out.array();
  }

  /**
   * Reads what {@link #encode} wrote.
   *
   * @throws IllegalArgumentException when the bytes are anything else
   */
  public static List<MessageHeader> decode(byte[] encoded) {
    if (encoded.length == 0) {
      return List.of();
    }
    ByteBuffer in = ByteBuffer.wrap(encoded);
    List<MessageHeader> headers = new ArrayList<>();
    try {
      while (in.hasRemaining()) {
        String name = new String(take(in, in.getInt()), StandardCharsets.UTF_8);
        int length = in.getInt();
        headers.add(new MessageHeader(name, length == NULL_VALUE ? null : take(in, length)));
      }
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("the stored headers are cut off", e);
    }
    return headers;
  }

  private static byte[] take(ByteBuffer in, int length) {
    if (length < 0 || length > in.remaining()) {
      throw new IllegalArgumentException(
          "the stored headers claim a length of %d with %d bytes left"
              .formatted(length, in.remaining()));
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }
}
