package io.kairos.engine.replica;

import io.kairos.domain.replica.Cluster;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.replica.OrderedExecution.Checkpoint;
import java.util.List;
import java.util.function.Consumer;

/**
 * One replica's end of a log that all replicas of a cluster share: requests go in at any of them
 * and are executed on all of them, in one order. Each implementation passes {@code
 * ReplicatedLogContract}. State machine, callbacks and {@link #post posted} code run on one thread
 * of the log, here called its thread; the other methods can be called on any.
 */
public interface ReplicatedLog extends AutoCloseable {
  ReplicaId self();

  Cluster cluster();

  /**
   * Asks for a request to be executed. The pair of client and request names it: submitted more than
   * once, here or elsewhere, it is executed once (see {@link ClientTable} for how long). A client
   * submits its requests in the order of their numbers and one at a time.
   *
   * @param answered called once, on the log's thread
   */
  void submit(ClientId client, long request, byte[] command, Consumer<Submitted> answered);

  /** Where a request is. On the log's thread only. */
  Pending pending(ClientId client, long request);

  /** The last request of a client that has been executed here; 0 for none. On its thread only. */
  long lastRequest(ClientId client);

  /**
   * Has a listener told when a request leaves this replica's queue, to be ordered or to be dropped
   * (CC-38). One listener, set before the first request.
   */
  void onConsumed(ConsumedListener listener);

  /** Runs code on the log's thread, in turn. Dropped when the log is closed. */
  void post(Runnable code);

  /** The last request that has been executed here, as {@link Ordered#sequence} counts them. */
  long sequence();

  /**
   * The digests of the whole state behind a sequence that are kept here, in order; the last 64 at
   * most. On the log's thread only.
   */
  List<Checkpoint> checkpoints(long after);

  /**
   * The last checkpoint at which one more replica than may fail is known to have had the state of
   * this one, by {@link VoteSender votes}; 0 for none. On the log's thread only.
   */
  long agreed();

  /** Ends this replica's part; what is pending is answered as unknown. */
  @Override
  void close();

  /** Told on the log's thread. */
  @FunctionalInterface
  interface ConsumedListener {
    void consumed(ClientId client, long request);
  }
}
