package io.kairos.engine.delay.port;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The receiver of an amendment's outcome. */
public sealed interface ReplyTo {
  /**
   * The route's results topic; the result carries the control record's key, partition and offset.
   */
  @SuppressWarnings("ArrayRecordComponent") // opaque bytes, not copied
  record ResultsTopic(int partition, long offset, byte @Nullable [] key) implements ReplyTo {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof ResultsTopic that
          && partition == that.partition
          && offset == that.offset
          && Arrays.equals(key, that.key);
    }

    @Override
    public int hashCode() {
      return 31 * (31 * partition + Long.hashCode(offset)) + Arrays.hashCode(key);
    }
  }

  /** A caller that reads the outcome from the store by the amendment's number. */
  record Caller() implements ReplyTo {}
}
