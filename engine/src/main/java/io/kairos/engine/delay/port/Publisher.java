package io.kairos.engine.delay.port;

import io.kairos.domain.task.Output;

/**
 * Publishes records with acknowledgement by all in-sync replicas. Thread-safe; no method blocks.
 * The publish timeout is the adapter's setting: every send is completed within it.
 */
public interface Publisher {
  /**
   * How many partitions the output has as far as known, 0 while unknown. Asking makes the adapter
   * find out. Follows additions within seconds.
   */
  int partitions(Output output);

  /**
   * The partition that the broker's standard partitioner would choose for a key: same key, same
   * partition.
   */
  int partitionFor(byte[] key, int partitions);

  /**
   * Sends. The callback may be called before this returns. A negative partition stands for one that
   * is not known yet: the send fails.
   */
  void send(Outgoing outgoing, SendCallback callback);
}
