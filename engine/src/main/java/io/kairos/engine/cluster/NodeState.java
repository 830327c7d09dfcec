package io.kairos.engine.cluster;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A node as it describes itself.
 *
 * @param name host and process id
 * @param version of the program
 * @param doors the kinds of work that it takes in
 * @param clockOffset its clock minus the store's; null while it is not known
 * @param load processor time over time, 1 for one core; null while it is not known
 * @param heapBytes bytes of the Java heap in use
 * @param obstacles reasons why it cannot do all of its work, one sentence each
 */
public record NodeState(
    String name,
    String version,
    List<String> doors,
    @Nullable Duration clockOffset,
    @Nullable Double load,
    long heapBytes,
    List<String> obstacles) {
  private static final int MOST_TEXTS = 10;
  private static final int LONGEST_TEXT = 300;

  public NodeState {
    doors = List.copyOf(doors);
    obstacles = List.copyOf(obstacles);
  }

  /** With texts as long and as many as a node tells. */
  NodeState bounded() {
    return new NodeState(
        cut(name), cut(version), cut(doors), clockOffset, load, heapBytes, cut(obstacles));
  }

  private static List<String> cut(List<String> texts) {
    return texts.stream().limit(MOST_TEXTS).map(NodeState::cut).toList();
  }

  private static String cut(String text) {
    return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT - 1) + "…";
  }
}
