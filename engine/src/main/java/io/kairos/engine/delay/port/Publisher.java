package io.kairos.engine.delay.port;

import io.kairos.domain.task.queue.MessageOutput;

/**
 * Publishes records with acknowledgement by all in-sync replicas. Thread-safe; no method blocks.
 * The adapter's publish timeout bounds every send.
 */
public interface Publisher {
  /**
   * The number of the output's partitions, 0 while unknown. A call makes the adapter find the
   * number out. New partitions are noticed within seconds.
   */
  int partitions(MessageOutput output);

  /** The partition that the broker's standard partitioner chooses for a key. */
  int partitionFor(byte[] key, int partitions);

  /**
   * Sends a record. The callback may be called before this method returns. The send fails when the
   * partition is negative, which stands for unknown.
   */
  void send(OutgoingRecord outgoing, SendCallback callback);
}
