package io.kairos.engine.replica;

import io.kairos.engine.loop.Step;
import io.kairos.engine.replica.OrderedExecution.Checkpoint;
import java.time.Duration;
import java.util.List;

/**
 * Votes on this replica's state digests: every second, by one request with all new checkpoints,
 * numbered by the sequence of the latest. A vote on the latest checkpoint alone would not do,
 * because replicas vote at different moments and would choose different ones. {@link
 * OrderedExecution} counts the votes. One request is pending at a time. Used by the log's thread.
 */
public final class VoteSender {
  private static final Duration EVERY = Duration.ofSeconds(1);

  private final ReplicatedLog log;
  private long voted;
  private boolean isPending;

  public VoteSender(ReplicatedLog log) {
    this.log = log;
  }

  /** The step that votes while the log is open. */
  public static Step step(ReplicatedLog log) {
    return new PostedStep("votes", log, EVERY, new VoteSender(log)::look);
  }

  /** Votes, if there are new checkpoints. */
  public void look() {
    List<Checkpoint> states = isPending ? List.of() : log.checkpoints(voted);
    if (!states.isEmpty()) {
      isPending = true;
      long last = states.getLast().sequence();
      log.submit(
          ClientId.ofVotes(log.self()),
          last,
          DigestBallot.encode(states),
          answer -> answered(last, answer));
    }
  }

  private void answered(long sequence, SubmissionResult answer) {
    isPending = false;
    switch (answer) {
      case SubmissionResult.Done _, SubmissionResult.Stale _ -> voted = sequence;
      case SubmissionResult.Refused _, SubmissionResult.Unknown _ -> {} // votes again
    }
  }
}
