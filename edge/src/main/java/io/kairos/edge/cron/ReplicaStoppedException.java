package io.kairos.edge.cron;

/**
 * The replica does not serve: it has not started yet, stops, or has diverged from the others.
 * Nothing has been done.
 */
public final class ReplicaStoppedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The reason is a sentence for callers. */
  public ReplicaStoppedException(String why) {
    super(why, null, false, false);
  }
}
