package io.kairos.edge.route;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kairos.api.v1.ListDeadLettersRequest;
import io.kairos.edge.refusal.InvalidField;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * Token of the next page of dead letters: the offset of each partition before which it begins, with
 * a checksum over these and the question.
 */
final class LetterToken {
  private static final int ENTRY = Short.BYTES + Long.BYTES;

  private LetterToken() {}

  /** Empty when there is nothing more. */
  static String of(Map<Integer, Long> next, ListDeadLettersRequest asked) {
    if (next.isEmpty()) {
      return "";
    }
    ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES + ENTRY * next.size());
    bytes.position(Integer.BYTES);
    new TreeMap<>(next)
        .forEach((partition, offset) -> bytes.putShort(partition.shortValue()).putLong(offset));
    bytes.putInt(0, checksum(bytes.array(), asked));
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
  }

  /** By partition; empty for the first page. */
  static Map<Integer, Long> read(ListDeadLettersRequest asked) {
    Map<Integer, Long> before = new TreeMap<>();
    if (asked.getPageToken().isEmpty()) {
      return before;
    }
    try {
      ByteBuffer bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(asked.getPageToken()));
      if (bytes.getInt() == checksum(bytes.array(), asked)) {
        while (bytes.hasRemaining()) {
          before.put((int) bytes.getShort(), bytes.getLong());
        }
      }
    } catch (IllegalArgumentException | BufferUnderflowException _) {
      before.clear(); // it is refused below
    }
    InvalidField.require(
        !before.isEmpty(), "page_token", "must come from the answer to the same question");
    return before;
  }

  private static int checksum(byte[] bytes, ListDeadLettersRequest asked) {
    CRC32C sum = new CRC32C();
    sum.update(bytes, Integer.BYTES, bytes.length - Integer.BYTES);
    sum.update(
        String.join("\n", asked.getRoute(), asked.getReason(), asked.getFingerprint())
            .getBytes(UTF_8));
    return (int) sum.getValue();
  }
}
