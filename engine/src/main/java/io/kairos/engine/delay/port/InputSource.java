package io.kairos.engine.delay.port;

import io.kairos.domain.delay.InputRecord;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The partitions of one route's input topic that the broker assigned to this node. Used by the
 * intake step, one thread at a time. A newly assigned partition delivers nothing until it is
 * positioned.
 */
public interface InputSource {
  /**
   * Waits for records, at most this long. Records of one partition are in order; positions of
   * partitions that are no longer assigned are void. Returns an empty batch when the broker does
   * not answer.
   */
  Batch poll(Duration wait);

  /**
   * The identity of the topic whose partitions the last {@link #poll} reported as unpositioned.
   * After the topic was recreated, all partitions are reported again.
   */
  TopicId topic();

  /**
   * Sets where to go on reading a partition: at the stored position, or by the topic's own rules
   * when that is empty. Also used to read records again that could not be stored. Ignored for
   * partitions that are no longer assigned.
   */
  void position(int partition, OptionalLong stored);

  /**
   * Stops delivery of this partition until it is positioned again, without reporting it as
   * unpositioned. Ignored for partitions that are not assigned.
   */
  void hold(int partition);

  /** Tells the broker the stored positions, for lag metrics only. Never fails. */
  void stored(Map<Integer, Long> next);

  /**
   * How far the partitions are read that this node reads; a second old at most while it polls. Any
   * thread may call.
   */
  default List<Progress> progress() {
    return List.of();
  }

  /** Leaves the group and closes. Idempotent. */
  void close();

  /**
   * How far a partition is read.
   *
   * @param position the next offset to be read
   * @param lag records behind the end; negative while it is not known
   */
  record Progress(int partition, long position, long lag) {}

  /**
   * The result of a poll.
   *
   * @param unpositioned assigned partitions that wait for {@link #position}
   */
  record Batch(Set<Integer> unpositioned, List<InputRecord> records) {
    public static final Batch EMPTY = new Batch(Set.of(), List.of());
  }
}
