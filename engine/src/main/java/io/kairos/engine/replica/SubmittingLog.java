package io.kairos.engine.replica;

import io.kairos.engine.replica.OrderedExecution.Checkpoint;
import java.util.List;

/**
 * A log whose replica executes the order by an {@link OrderedExecution} and keeps its own requests
 * in {@link RequestSubmissions}. Both are used on the log's thread only.
 */
public abstract class SubmittingLog implements ReplicatedLog {
  protected final OrderedExecution execution;
  protected final RequestSubmissions submissions;

  @SuppressWarnings("this-escape") // the proposer is called for requests only
  protected SubmittingLog(OrderedExecution execution, RequestSubmissions.Bounds bounds) {
    this.execution = execution;
    this.submissions = new RequestSubmissions(execution, this::propose, bounds);
  }

  /** See {@link RequestSubmissions.Proposer#propose}. */
  protected abstract void propose(ClientId client, long request, byte[] command, Runnable failed);

  @Override
  public final PendingState pending(ClientId client, long request) {
    return submissions.pending(client, request);
  }

  @Override
  public final long lastRequest(ClientId client) {
    return execution.lastRequest(client);
  }

  @Override
  public final List<Checkpoint> checkpoints(long after) {
    return execution.checkpoints(after);
  }

  @Override
  public final long agreed() {
    return execution.agreed();
  }

  @Override
  public final List<PeerVotes> votes() {
    return execution.votes();
  }
}
