package io.kairos.consensus;

import io.kairos.engine.replica.ClientId;
import io.kairos.engine.replica.OrderedExecution;
import io.kairos.engine.replica.Pending;
import io.kairos.engine.replica.ReplicatedLog.ConsumedListener;
import io.kairos.engine.replica.Submitted;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Requests of this replica from their submission until they are executed here: put to the leader
 * again and again, which is harmless as each is executed once. On the log's thread only; bounded.
 */
final class Submissions {
  private final OrderedExecution execution;
  private final Proposer proposer;
  private final Bounds bounds;
  private final Deque<InFlight> queue = new ArrayDeque<>();
  private final TreeMap<ClientId, TreeMap<Long, InFlight>> pending = new TreeMap<>();
  private ConsumedListener consumed = (_, _) -> {};
  private int count;
  private @Nullable String ended;

  /**
   * How much is kept for how long.
   *
   * @param most that are pending
   * @param roundsToAnswer after so many rounds of {@link #again} a request is given up
   */
  record Bounds(int most, int roundsToAnswer) {}

  /** Puts requests to whoever orders them. */
  @FunctionalInterface
  interface Proposer {
    /**
     * Puts one of them to it.
     *
     * @param failed called on the log's thread if it has not been, or perhaps not been, put into
     *     the order
     */
    void propose(ClientId client, long request, byte[] command, Runnable failed);
  }

  private static final class InFlight {
    private final ClientId client;
    private final long request;
    private final byte[] command;
    private final List<Consumer<Submitted>> answered = new ArrayList<>();
    private boolean isQueued = true;
    private boolean isProposed;
    private int rounds;

    InFlight(ClientId client, long request, byte[] command) {
      this.client = client;
      this.request = request;
      this.command = command;
    }
  }

  Submissions(OrderedExecution execution, Proposer proposer, Bounds bounds) {
    this.execution = execution;
    this.proposer = proposer;
    this.bounds = bounds;
  }

  void onConsumed(ConsumedListener listener) {
    consumed = listener;
  }

  /**
   * Takes a request into the queue.
   *
   * @return whether {@link #takeUp} is to be called for it
   */
  boolean submit(ClientId client, long request, byte[] command, Consumer<Submitted> answered) {
    String end = ended;
    if (end != null) {
      answered.accept(new Submitted.Unknown(end));
      return false;
    }
    Submitted known = execution.answer(client, request).orElse(null);
    if (known != null) {
      answered.accept(known);
      return false;
    }
    TreeMap<Long, InFlight> ofClient = pending.getOrDefault(client, new TreeMap<>());
    InFlight before = ofClient.get(request);
    if (before != null) {
      before.answered.add(answered);
      return false;
    }
    if (count >= bounds.most()) {
      answered.accept(new Submitted.Unknown(count + " requests are pending at this replica"));
      return false;
    }
    InFlight inFlight = new InFlight(client, request, command);
    inFlight.answered.add(answered);
    pending.put(client, ofClient);
    ofClient.put(request, inFlight);
    count++;
    queue.add(inFlight);
    return true;
  }

  /** Takes the next request out of the queue and puts it to the leader. */
  void takeUp() {
    InFlight next = queue.poll();
    if (next != null) {
      next.isQueued = false;
      consumed.consumed(next.client, next.request);
      propose(next);
    }
  }

  private void propose(InFlight inFlight) {
    inFlight.isProposed = true;
    proposer.propose(
        inFlight.client, inFlight.request, inFlight.command, () -> inFlight.isProposed = false);
  }

  /** Puts to the leader again what has failed, and gives up what has been pending for too long. */
  void again() {
    for (TreeMap<Long, InFlight> ofClient : List.copyOf(pending.values())) {
      for (InFlight inFlight : List.copyOf(ofClient.values())) {
        if (++inFlight.rounds > bounds.roundsToAnswer()) {
          settle(
              inFlight.client,
              inFlight.request,
              new Submitted.Unknown("it was not executed here in time"));
        } else if (!inFlight.isQueued && !inFlight.isProposed) {
          propose(inFlight);
        }
      }
    }
  }

  /** A request was executed here, or found to have been. */
  void executed(ClientId client, long request, Submitted result) {
    settle(client, request, result);
  }

  /** The state was replaced: perhaps some of what is pending has been executed elsewhere. */
  void restored() {
    for (ClientId client : List.copyOf(pending.keySet())) {
      for (long request : List.copyOf(pending.getOrDefault(client, new TreeMap<>()).keySet())) {
        execution.answer(client, request).ifPresent(answer -> settle(client, request, answer));
      }
    }
  }

  private void settle(ClientId client, long request, Submitted result) {
    TreeMap<Long, InFlight> ofClient = pending.get(client);
    InFlight settled = ofClient == null ? null : ofClient.remove(request);
    if (ofClient == null || settled == null) {
      return;
    }
    if (ofClient.isEmpty()) {
      pending.remove(client);
    }
    count--;
    if (settled.isQueued) {
      queue.remove(settled);
    }
    settled.answered.forEach(answered -> answered.accept(result));
  }

  Pending pending(ClientId client, long request) {
    TreeMap<Long, InFlight> ofClient = pending.get(client);
    InFlight inFlight = ofClient == null ? null : ofClient.get(request);
    if (inFlight != null) {
      return inFlight.isQueued ? Pending.QUEUED : Pending.ORDERING;
    }
    return execution.lastRequest(client) >= request ? Pending.EXECUTED : Pending.NONE;
  }

  /** Answers everything, now and from now on, as unknown. */
  void end(String reason) {
    ended = reason;
    for (TreeMap<Long, InFlight> ofClient : List.copyOf(pending.values())) {
      for (InFlight inFlight : List.copyOf(ofClient.values())) {
        settle(inFlight.client, inFlight.request, new Submitted.Unknown(reason));
      }
    }
  }
}
