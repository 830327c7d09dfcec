package io.kairos.engine.replica;

import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.loop.Step;
import io.kairos.engine.replica.OrderedExecution.Checkpoint;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One replica's access to a log that all replicas of a cluster share: any replica accepts requests,
 * and all replicas execute them in one order. Some logs also agree on a {@linkplain
 * OrderedRequest#logTime time} for each request. Each implementation passes {@code
 * ReplicatedLogContract}. State machine, callbacks and {@linkplain #post posted} code run on one
 * thread, the log's thread. Methods may be called by any thread unless they say otherwise.
 */
public interface ReplicatedLog extends AutoCloseable {
  ReplicaId self();

  ReplicaGroup cluster();

  /**
   * Submits a request. Client and number identify the request: submitted more than once, here or at
   * another replica, it is executed once ({@link ClientTable} says how long this holds). A client
   * must submit its requests in the order of their numbers, one at a time.
   *
   * @param answered called once, on the log's thread
   */
  void submit(ClientId client, long request, byte[] command, Consumer<SubmissionResult> answered);

  /** The progress of a request. On the log's thread only. */
  PendingState pending(ClientId client, long request);

  /**
   * The number of the last request of a client executed here; 0 for none. On the log's thread only.
   */
  long lastRequest(ClientId client);

  /**
   * Sets the listener that is called when a request leaves this replica's queue, to be ordered or
   * dropped. There is one listener, set before the first request.
   */
  void onConsumed(ConsumedListener listener);

  /**
   * Runs code on the log's thread, in the order of posting. The code is dropped when the log is
   * closed.
   */
  void post(Runnable code);

  /** The {@linkplain OrderedRequest#sequence sequence} of the last request executed here. */
  long sequence();

  /** The kept checkpoints after a sequence, in order, 64 at most. On the log's thread only. */
  List<Checkpoint> checkpoints(long after);

  /**
   * The last checkpoint at which one more replica than may fail is known, by {@linkplain VoteSender
   * votes}, to have had this replica's state; 0 for none. On the log's thread only.
   */
  long agreed();

  /**
   * What the votes say of each replica since this one has started, in the order of their numbers.
   * On the log's thread only.
   */
  List<PeerVotes> votes();

  /** The leader as this replica knows it; empty without one, and of a log that has none. */
  default Optional<ReplicaId> leader() {
    return Optional.empty();
  }

  /** Why requests cannot be expected to be executed at present; empty when they can. */
  default Optional<String> obstacle() {
    return Optional.empty();
  }

  /**
   * This replica's view of the others and their misbehaviour; empty for a log that tolerates none.
   */
  default Optional<PeerReport> peerReport() {
    return Optional.empty();
  }

  /** The steps to run for as long as the log is open. */
  default List<Step> steps() {
    return List.of();
  }

  /** Closes the log at this replica; pending requests are answered as unknown. */
  @Override
  void close();

  /** Called on the log's thread. */
  @FunctionalInterface
  interface ConsumedListener {
    void consumed(ClientId client, long request);
  }
}
