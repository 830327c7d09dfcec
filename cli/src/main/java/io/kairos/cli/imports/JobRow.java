package io.kairos.cli.imports;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A row of an {@link OriginTable}.
 *
 * @param fields columns as a JSON object; null when they are too long
 * @param bytes size of the longer one of fields and payload
 */
record JobRow(List<String> key, @Nullable String fields, @Nullable String payload, long bytes) {
  /** The most that the statements read of a payload; nodes take no more by default. */
  private static final long MOST_BYTES = 1_000_000;

  JobRow {
    key = List.copyOf(key);
  }

  JsonFields json() {
    requireShort();
    return JsonFields.parse(fields == null ? "" : fields);
  }

  /** Returns the payload; empty when the job has none. */
  Optional<String> data() {
    requireShort();
    return Optional.ofNullable(payload);
  }

  /** Returns the size of what was read; what is too long was not. */
  long held() {
    return bytes > MOST_BYTES ? 0 : bytes;
  }

  private void requireShort() {
    if (bytes > MOST_BYTES) {
      throw new IllegalArgumentException(
          "has %,d bytes: at most %,d are taken".formatted(bytes, MOST_BYTES));
    }
  }
}
