package io.kairos.engine.replica;

import io.kairos.engine.replica.ReplicatedLog.ConsumedListener;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Requests of one replica from their submission until they are executed there. Every {@link
 * ReplicatedLog} keeps them here and proposes them to whoever orders requests, again when that
 * fails, which is harmless because each request is executed once. On the log's thread only; bounded
 * by {@link Bounds}.
 */
public final class RequestSubmissions {
  /** The period at which a log calls {@link #again} while requests are pending. */
  public static final Duration AGAIN_EVERY = Duration.ofMillis(50);

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
   * @param most requests of all clients that are pending at a time; the replica's own are few, and
   *     are taken in any case, so that no flood keeps its ticks out
   * @param mostOfClient requests under one id that are pending at a time, the replica's own as well
   * @param answerWithin a request that was not executed by then is answered as unknown; counted in
   *     rounds of {@link #again}, so that a replica that stands still gives nothing up
   */
  public record Bounds(int most, int mostOfClient, Duration answerWithin) {
    private long rounds() {
      return answerWithin.dividedBy(AGAIN_EVERY);
    }
  }

  /** Puts requests to whoever orders them. */
  @FunctionalInterface
  public interface Proposer {
    /**
     * Proposes a request.
     *
     * @param failed called on the log's thread if the request has not been, or perhaps not been,
     *     put into the order
     */
    void propose(ClientId client, long request, byte[] command, Runnable failed);
  }

  private static final class InFlight {
    private final ClientId client;
    private final long request;
    private final byte[] command;
    private final List<Consumer<SubmissionResult>> answered = new ArrayList<>();
    private boolean isQueued = true;
    private boolean isProposed;
    private int rounds;

    InFlight(ClientId client, long request, byte[] command) {
      this.client = client;
      this.request = request;
      this.command = command;
    }
  }

  public RequestSubmissions(OrderedExecution execution, Proposer proposer, Bounds bounds) {
    this.execution = execution;
    this.proposer = proposer;
    this.bounds = bounds;
  }

  public void onConsumed(ConsumedListener listener) {
    consumed = listener;
  }

  /**
   * Takes a request into the queue.
   *
   * @return whether {@link #takeUp} is to be called for it
   */
  public boolean submit(
      ClientId client, long request, byte[] command, Consumer<SubmissionResult> answered) {
    String end = ended;
    if (end != null) {
      answered.accept(new SubmissionResult.Unknown(end));
      return false;
    }
    SubmissionResult known = execution.answer(client, request).orElse(null);
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
    if (ofClient.size() >= bounds.mostOfClient()) {
      answered.accept(
          new SubmissionResult.Refused(
              "%d requests of client %d are pending at this replica, and one client may have no more: submit the next one when one of them is answered"
                  .formatted(ofClient.size(), client.value())));
      return false;
    }
    if (client.isOfCallers() && count >= bounds.most()) {
      answered.accept(
          new SubmissionResult.Refused(
              count + " requests are pending at this replica: submit it later, or to another one"));
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

  /** Takes the next request out of the queue and proposes it. */
  public void takeUp() {
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

  /** Proposes again what has failed, and gives up what has been pending for too long. */
  public void again() {
    for (TreeMap<Long, InFlight> ofClient : List.copyOf(pending.values())) {
      for (InFlight inFlight : List.copyOf(ofClient.values())) {
        if (++inFlight.rounds > bounds.rounds()) {
          settle(
              inFlight.client,
              inFlight.request,
              new SubmissionResult.Unknown("it was not executed here in time"));
        } else if (!inFlight.isQueued && !inFlight.isProposed) {
          propose(inFlight);
        }
      }
    }
  }

  /** The state was replaced: perhaps some of what is pending has been executed elsewhere. */
  public void restored() {
    for (ClientId client : List.copyOf(pending.keySet())) {
      for (long request : List.copyOf(pending.getOrDefault(client, new TreeMap<>()).keySet())) {
        execution.answer(client, request).ifPresent(answer -> settle(client, request, answer));
      }
    }
  }

  /** Answers a request, if it is pending: it was executed here, or never will be. */
  public void settle(ClientId client, long request, SubmissionResult result) {
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

  /** True when no request is pending, so that {@link #again} has nothing to do. */
  public boolean isEmpty() {
    return pending.isEmpty();
  }

  /** Where a request is. */
  public PendingState pending(ClientId client, long request) {
    TreeMap<Long, InFlight> ofClient = pending.get(client);
    InFlight inFlight = ofClient == null ? null : ofClient.get(request);
    if (inFlight != null) {
      return inFlight.isQueued ? PendingState.QUEUED : PendingState.ORDERING;
    }
    return execution.lastRequest(client) >= request ? PendingState.EXECUTED : PendingState.NONE;
  }

  /** Answers everything, now and from now on, as unknown. */
  public void end(String reason) {
    ended = reason;
    for (TreeMap<Long, InFlight> ofClient : List.copyOf(pending.values())) {
      for (InFlight inFlight : List.copyOf(ofClient.values())) {
        settle(inFlight.client, inFlight.request, new SubmissionResult.Unknown(reason));
      }
    }
  }
}
