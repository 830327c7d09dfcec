package io.kairos.postgres.delay;

import io.kairos.domain.delay.MessageId;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.ColumnBatch;
import java.util.Collection;
import java.util.function.Function;

/**
 * Makes a parameter of message ids. Their order does not matter where they are compared with "any".
 */
final class MessageIdArray {
  private MessageIdArray() {}

  static BinaryArray of(Collection<MessageId> ids) {
    return of(ids, Function.identity());
  }

  static <T> BinaryArray of(Collection<T> members, Function<T, MessageId> id) {
    return ColumnBatch.texts(members, member -> id.apply(member).value());
  }
}
