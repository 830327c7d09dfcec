package io.kairos.engine.cluster;

import java.util.List;

/**
 * The state of a route on one node that serves it.
 *
 * @param node the node's name
 * @param inputs input partitions that it reads, at most {@value #MOST_INPUTS}
 * @param lanes output partitions that are dead or slow, at most {@value #MOST_LANES}
 * @param takenOver messages that it took over since its start
 * @param amendments that it decided since its start
 */
public record RouteFigures(
    String node,
    String route,
    String input,
    String output,
    String deadLetters,
    List<Input> inputs,
    List<Lane> lanes,
    long takenOver,
    Amendments amendments) {
  /** A node tells those with the largest lag. */
  public static final int MOST_INPUTS = 64;

  /** A node tells the worst. */
  public static final int MOST_LANES = 32;

  public RouteFigures {
    inputs = List.copyOf(inputs);
    lanes = List.copyOf(lanes);
  }

  /**
   * An input partition.
   *
   * @param position the next offset to be read
   * @param lag records behind the end; negative while it is not known
   */
  public record Input(long partition, long position, long lag) {}

  /**
   * An output partition.
   *
   * @param output topic, handler or pool
   * @param partition its number; negative while it is not known
   * @param trouble what is wrong, in words
   * @param queued due messages that wait for it
   */
  public record Lane(String output, long partition, String trouble, long queued) {}

  /** Cancels and reschedules by their outcome. */
  public record Amendments(long applied, long tooLate, long unknownId) {
    /** None yet. */
    public static final Amendments NONE = new Amendments(0, 0, 0);

    /** These and others. */
    public Amendments plus(Amendments others) {
      return new Amendments(
          applied + others.applied, tooLate + others.tooLate, unknownId + others.unknownId);
    }
  }
}
