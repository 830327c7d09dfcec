package io.kairos.postgres.delay;

import io.kairos.domain.delay.MessageId;
import io.kairos.postgres.sql.BinaryArray;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.function.Function;

/** Message ids as a parameter. Their order does not matter where they are compared with "any". */
final class Ids {
  private Ids() {}

  static BinaryArray of(Collection<MessageId> ids) {
    return of(ids, Function.identity());
  }

  static <T> BinaryArray of(Collection<T> members, Function<T, MessageId> id) {
    byte[][] utf8 = new byte[members.size()][];
    int n = 0;
    for (T member : members) {
      utf8[n++] = utf8(id.apply(member));
    }
    return BinaryArray.texts(utf8);
  }

  static byte[] utf8(MessageId id) {
    return id.value().getBytes(StandardCharsets.UTF_8);
  }
}
