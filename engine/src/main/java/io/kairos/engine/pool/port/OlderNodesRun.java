package io.kairos.engine.pool.port;

/** Something may not be set yet, because nodes run that do not know it. Nothing is changed. */
public final class OlderNodesRun extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Says what to do.
   *
   * @param what the beginning of the message, such as {@code pool.routing: ROUND_ROBIN}
   * @param nodes how many such nodes run
   */
  public OlderNodesRun(String what, int nodes) {
    super(
        "%s may be set when all nodes know it, and nodes run that may not: %d; stop them, or replace them by this version first"
            .formatted(what, nodes));
  }
}
