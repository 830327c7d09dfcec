package io.kairos.bench.observe;

/**
 * A message of the run that was read from the output topic.
 *
 * @param atMicros when the observer had it in hands, microseconds since the epoch
 * @param again true when it had come before
 */
public record ObservedMessage(
    long sequence, int partition, long offset, long dueMicros, long atMicros, boolean again) {
  /** Signed: negative when the message came before its due time. */
  public long latenessMicros() {
    return atMicros - dueMicros;
  }
}
