package io.kairos.server.edge.cron;

/**
 * The replica serves nothing: it has not started yet, stops, or has parted from the others. Nothing
 * has been done.
 */
public final class ReplicaStoppedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Says why.
   *
   * @param why a sentence for callers
   */
  public ReplicaStoppedException(String why) {
    super(why, null, false, false);
  }
}
