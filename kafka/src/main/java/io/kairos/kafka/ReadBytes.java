package io.kairos.kafka;

import org.jspecify.annotations.Nullable;

/**
 * A key or a value as the consumer read it: all of its bytes, its size and hash alone, or its size
 * alone when it must be read again.
 *
 * @param bytes null when they were not kept
 * @param sha256 hash of bytes that are too many to be kept, in hexadecimal; null otherwise
 */
@SuppressWarnings("ArrayRecordComponent") // opaque bytes, not copied
record ReadBytes(int size, byte @Nullable [] bytes, @Nullable String sha256) {

  /** True when the record did not fit into its poll. */
  boolean isLeftForLater() {
    return bytes == null && sha256 == null;
  }
}
