package io.kairos.engine.task.port.batch;

/**
 * The result of a round that counts ends of batches.
 *
 * @param counted number of noted ends that were moved into the counts of their batches
 * @param ended number of batches that have ended
 * @param hasMore true when noted ends are left that the round has not looked at
 */
public record CountedBatches(int counted, int ended, boolean hasMore) {
  /** The number of all that was done. */
  public int done() {
    return counted + ended;
  }
}
