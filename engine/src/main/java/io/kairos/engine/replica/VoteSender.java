package io.kairos.engine.replica;

import io.kairos.engine.loop.Step;
import io.kairos.engine.replica.OrderedExecution.Checkpoint;
import java.time.Duration;
import java.util.List;

/**
 * Says to all replicas what the states of this one were: every second, by one request with all
 * checkpoints since the last one, numbered by the sequence of the latest. All and not the latest
 * alone: replicas look at different moments, and would vote on different ones. {@link
 * OrderedExecution} counts them. One is pending at a time. On the log's thread.
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
    List<Checkpoint> states = isPending ? List.of() : log.checkpoints(voted);
    if (!states.isEmpty()) {
      isPending = true;
      long last = states.getLast().sequence();
      log.submit(
          ClientId.ofVotes(log.self()),
          last,
          Ballot.encode(states),
          answer -> answered(last, answer));
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
