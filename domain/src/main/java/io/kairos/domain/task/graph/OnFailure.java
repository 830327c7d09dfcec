package io.kairos.domain.task.graph;

/**
 * Decides what becomes of a successor when its predecessor ends without success. {@link EdgeEffect}
 * has the table.
 */
public enum OnFailure {
  /** The successor goes on waiting: the predecessor may be put back and may succeed then. */
  BLOCK,
  /** The successor fails with its predecessor. */
  FAIL,
  /** The successor waits for any end of its predecessor. */
  CONTINUE
}
