package io.kairos.server.edge.task;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kairos.api.v1.ListRequest;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.server.edge.refusal.InvalidField;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * Where a list goes on: the last id of a page, with a checksum over it and what was asked, so that
 * it is refused with another question.
 */
final class PageToken {
  private static final int LENGTH = Long.BYTES + Long.BYTES + Integer.BYTES;

  private PageToken() {}

  static String of(TaskId last, ListRequest asked, Set<TaskState> states) {
    ByteBuffer bytes = ByteBuffer.allocate(LENGTH);
    bytes.putLong(last.value().getMostSignificantBits());
    bytes.putLong(last.value().getLeastSignificantBits());
    bytes.putInt(checksum(last, asked, states));
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
  }

  static TaskId read(ListRequest asked, Set<TaskState> states) {
    try {
      ByteBuffer bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(asked.getPageToken()));
      if (bytes.remaining() == LENGTH) {
        TaskId last = new TaskId(new UUID(bytes.getLong(), bytes.getLong()));
        if (bytes.getInt() == checksum(last, asked, states)) {
          return last;
        }
      }
    } catch (IllegalArgumentException _) {
      // Not base64: as bad as any other.
    }
    throw new InvalidField("page_token", "must come from the answer to the same question");
  }

  private static int checksum(TaskId last, ListRequest asked, Set<TaskState> states) {
    CRC32C sum = new CRC32C();
    List<String> question =
        List.of(
            last.toString(),
            asked.getHandler(),
            asked.getCollection(),
            asked.getKey(),
            new TreeSet<>(states).toString());
    sum.update(String.join("\n", question).getBytes(UTF_8));
    return (int) sum.getValue();
  }
}
