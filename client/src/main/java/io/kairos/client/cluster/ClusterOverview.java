package io.kairos.client.cluster;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All nodes, and what is wrong.
 *
 * @param nodes the one that answered first, then those that live, then those that died within the
 *     last hour
 * @param alarms the most severe first
 * @param at when the node answered, by the store's clock
 */
public record ClusterOverview(List<Member> nodes, List<Finding> alarms, Instant at) {
  public ClusterOverview {
    nodes = List.copyOf(nodes);
    alarms = List.copyOf(alarms);
  }

  /**
   * One node.
   *
   * @param id id of its present life
   * @param name host and process id
   * @param version version of its program; empty for one that has not told it
   * @param doors kinds of work that it takes in
   * @param startedAt when it was enrolled; null when that is not known any more
   * @param seenAt when it last renewed its life, by the store's clock
   * @param clockOffset its clock minus the store's; null while that is not known
   * @param load processor time over time, 1 for one core; null while that is not known
   * @param heapBytes bytes of its Java heap in use
   * @param hiccup largest pause of its process in the last seconds; null while that is not known
   * @param isAnswering true for the node that answered
   * @param isDead true for a node that has not renewed its life in time
   */
  public record Member(
      String id,
      String name,
      String version,
      List<String> doors,
      @Nullable Instant startedAt,
      Instant seenAt,
      @Nullable Duration clockOffset,
      @Nullable Double load,
      long heapBytes,
      @Nullable Duration hiccup,
      boolean isAnswering,
      boolean isDead) {
    public Member {
      doors = List.copyOf(doors);
    }
  }

  /**
   * Something that is wrong.
   *
   * @param text one sentence
   * @param subject kind of what it is about, such as {@code HANDLER}; empty for all of it
   * @param name name of what it is about; empty where several are meant
   * @param since as far as that is known; null where it is not
   */
  public record Finding(
      Severity severity, String text, String subject, String name, @Nullable Instant since) {}

  /** How bad something is. */
  public enum Severity {
    /** Work waits that will not be done without somebody's help. */
    CRITICAL,
    /** Work is late or fails. */
    WARNING,
    /** Worth knowing, such as a pause in force. */
    NOTICE,
    /** A severity that this version of the client does not know. */
    OTHER
  }
}
