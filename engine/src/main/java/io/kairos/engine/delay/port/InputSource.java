package io.kairos.engine.delay.port;

import io.kairos.domain.delay.InputRecord;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The input topic of one route, as this node sees it. Used by the intake step alone, one thread at
 * a time. Partitions come and go by the broker's assignment; a new one delivers nothing until it
 * has been positioned.
 */
public interface InputSource {
  /**
   * Waits for records, at most this long. Records of one partition are in order; positions of
   * partitions that left are void. Returns an empty batch when the broker is away.
   */
  Batch poll(Duration wait);

  /**
   * Which topic it was that the last {@link #poll} reported partitions of as unpositioned. When it
   * is found to be another than before, all partitions are reported.
   */
  TopicId topic();

  /**
   * Says where to go on reading a partition: at the stored position, or where the topic's own rules
   * say when there is none. Also used to read again what could not be stored. Ignored for
   * partitions that are no longer assigned.
   */
  void position(int partition, OptionalLong stored);

  /**
   * Delivers nothing more of this partition until it is positioned again; meanwhile it is not
   * reported as unpositioned. Ignored for partitions that are not assigned.
   */
  void hold(int partition);

  /** Tells the broker what is stored, for its lag tools only. Never fails. */
  void stored(Map<Integer, Long> next);

  /** Leaves the group and closes. Idempotent. */
  void close();

  /**
   * What a poll brought.
   *
   * @param unpositioned assigned partitions that wait for {@link #position}
   */
  record Batch(Set<Integer> unpositioned, List<InputRecord> records) {
    public static final Batch EMPTY = new Batch(Set.of(), List.of());
  }
}
