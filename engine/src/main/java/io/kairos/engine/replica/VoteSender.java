package io.kairos.engine.replica;

import io.kairos.engine.loop.Step;
import io.kairos.engine.replica.OrderedExecution.Checkpoint;
import java.time.Duration;

/**
 * Says to all replicas what the state of this one is, by a request for each checkpoint: numbered by
 * its sequence, with the digest as command. {@link OrderedExecution} counts them. One is pending at
 * a time; checkpoints that come meanwhile are passed over but for the last. On the log's thread.
 */
public final class VoteSender {
  private static final Duration EVERY = Duration.ofSeconds(1);

  private final ReplicatedLog log;
  private long voted;
  private boolean isPending;

  public VoteSender(ReplicatedLog log) {
    this.log = log;
  }

  /** To be run for as long as the log is open. */
  public static Step step(ReplicatedLog log) {
    return new PostedStep("votes", log, EVERY, new VoteSender(log)::look);
  }

  /** Votes, if there is something new to vote on. */
  public void look() {
    Checkpoint last = isPending ? null : log.lastCheckpoint().orElse(null);
    if (last != null && last.sequence() > voted) {
      isPending = true;
      log.submit(
          ClientId.ofVotes(log.self()),
          last.sequence(),
          last.digest(),
          answer -> answered(last.sequence(), answer));
    }
  }

  private void answered(long sequence, Submitted answer) {
    isPending = false;
    switch (answer) {
      case Submitted.Done _, Submitted.Stale _ -> voted = sequence;
      case Submitted.Unknown _ -> {} // votes again
    }
  }
}
