package io.kairos.edge.call;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.ListTasksRequest;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.edge.refusal.InvalidField;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * Token of the next page of tasks: the last id of a page, with a checksum over the id and the
 * query. A token is refused together with another query.
 */
public final class PageToken {
  private static final int LENGTH = Long.BYTES + Long.BYTES + Integer.BYTES;

  private PageToken() {}

  public static String of(TaskId last, ListTasksRequest asked, Set<TaskState> states) {
    ByteBuffer bytes = ByteBuffer.allocate(LENGTH);
    bytes.putLong(last.value().getMostSignificantBits());
    bytes.putLong(last.value().getLeastSignificantBits());
    bytes.putInt(checksum(last, asked, states));
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
  }

  public static TaskId read(ListTasksRequest asked, Set<TaskState> states) {
    try {
      ByteBuffer bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(asked.getPageToken()));
      if (bytes.remaining() == LENGTH) {
        TaskId last = new TaskId(new UUID(bytes.getLong(), bytes.getLong()));
        if (bytes.getInt() == checksum(last, asked, states)) {
          return last;
        }
      }
    } catch (IllegalArgumentException _) {
      // The token is not base64 and is refused below.
    }
    throw new InvalidField("page_token", "must come from the answer to the same question");
  }

  private static int checksum(TaskId last, ListTasksRequest asked, Set<TaskState> states) {
    CRC32C sum = new CRC32C();
    List<String> question =
        List.of(
            last.toString(),
            asked.getHandler(),
            asked.getCollection(),
            asked.getKey(),
            new TreeSet<>(states) + window(asked));
    sum.update(String.join("\n", question).getBytes(UTF_8));
    return (int) sum.getValue();
  }

  /** Empty without a window, as in the tokens of earlier versions. */
  private static String window(ListTasksRequest asked) {
    return (asked.hasNotBefore() ? " from " + ProtoTime.of(asked.getNotBefore()) : "")
        + (asked.hasBefore() ? " to " + ProtoTime.of(asked.getBefore()) : "")
        + search(asked);
  }

  /** The further conditions; empty without one. */
  private static String search(ListTasksRequest asked) {
    ListTasksRequest search =
        asked.toBuilder()
            .clearHandler()
            .clearStates()
            .clearPageSize()
            .clearPageToken()
            .clearCollection()
            .clearKey()
            .clearNotBefore()
            .clearBefore()
            .build();
    return HexFormat.of().formatHex(search.toByteArray());
  }
}
