package io.kairos.client.route;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A route of the delay queue, as all nodes know it.
 *
 * @param input input topic; empty for a route that no node serves
 * @param output output topic of messages that name none
 * @param deadLetters dead-letter topic
 * @param waiting messages that wait
 * @param isEstimated true when waiting is an estimate
 * @param isServed true when a node serves it
 * @param inputs input partitions that nodes read
 * @param lanes output partitions that are dead or slow
 * @param takenOver messages that nodes took over from others, each node since its start
 * @param amendments cancels and reschedules that were decided, by each node since its start
 */
public record RouteStatus(
    String name,
    String input,
    String output,
    String deadLetters,
    long waiting,
    boolean isEstimated,
    boolean isServed,
    List<InputProgress> inputs,
    List<TroubledLane> lanes,
    long takenOver,
    AmendmentCounts amendments) {
  public RouteStatus {
    inputs = List.copyOf(inputs);
    lanes = List.copyOf(lanes);
  }

  /**
   * An input partition.
   *
   * @param node name of the node that reads it
   * @param position next offset to be read
   * @param lag records behind the end; null while it is not known
   */
  public record InputProgress(String node, int partition, long position, @Nullable Long lag) {}

  /**
   * An output partition that does not take its messages in time.
   *
   * @param node name of the node that publishes to it
   * @param topic topic, handler or pool
   * @param partition number; -1 while it is not known
   * @param trouble what is wrong, in words
   * @param queued due messages that wait for it
   */
  public record TroubledLane(
      String node, String topic, int partition, String trouble, long queued) {}

  /**
   * Cancels and reschedules by their outcome.
   *
   * @param tooLate the message was being sent, or was sent
   * @param unknownId no message had the id
   */
  public record AmendmentCounts(long applied, long tooLate, long unknownId) {}

  /** Returns how many records the nodes are behind, as far as that is known. */
  public long lag() {
    return inputs.stream().mapToLong(input -> input.lag() == null ? 0 : input.lag()).sum();
  }
}
