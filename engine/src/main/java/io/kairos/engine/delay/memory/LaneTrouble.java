package io.kairos.engine.delay.memory;

import io.kairos.domain.task.queue.MessageOutput;
import java.time.Duration;

/**
 * An output partition that does not take its messages in time.
 *
 * @param partition its number; {@link OutputLane#UNKNOWN_PARTITION} while the partitions of the
 *     output are not known
 * @param isDead true when the last send failed
 * @param length how long it has been dead, or how long its first message has waited to be sent
 * @param queued due messages that wait for it
 */
public record LaneTrouble(
    MessageOutput output, int partition, boolean isDead, Duration length, int queued) {
  static final Duration SLOW_FROM = Duration.ofSeconds(1);

  /** The trouble in words. */
  public String words() {
    if (isDead) {
      return "dead for " + length.toSeconds() + " s";
    }
    return partition == OutputLane.UNKNOWN_PARTITION
        ? "its partitions are not known"
        : length.toSeconds() + " s behind";
  }
}
