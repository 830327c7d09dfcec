package io.kairos.engine.task.port.batch;

/** The result of creating a batch. */
public sealed interface BatchCreation {
  /**
   * The batch is stored.
   *
   * @param isNew false when the handler had a batch of this name, which is returned
   */
  record Stored(BatchView batch, boolean isNew) implements BatchCreation {}

  /**
   * Nothing was stored: there are batches only when all nodes know them, and nodes of earlier
   * versions run.
   *
   * @param nodes how many such nodes run
   */
  record OlderNodes(int nodes) implements BatchCreation {}
}
