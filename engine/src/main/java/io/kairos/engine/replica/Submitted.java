package io.kairos.engine.replica;

/** What became of a request. */
public sealed interface Submitted {
  /** It has been executed, once; perhaps before, if it was submitted more than once. */
  @SuppressWarnings("ArrayRecordComponent") // opaque bytes, never compared
  record Done(long sequence, byte[] reply) implements Submitted {}

  /**
   * A later one of its client has been executed, so this one never will be if it was not: its reply
   * is gone.
   */
  record Stale(long lastRequest) implements Submitted {}

  /** It may be executed yet. Submitted again under the same number it is still executed once. */
  record Unknown(String reason) implements Submitted {}
}
