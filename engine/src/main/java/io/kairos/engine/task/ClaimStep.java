package io.kairos.engine.task;

import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.loop.Next;
import io.kairos.engine.loop.Step;
import io.kairos.engine.task.port.Claims;
import java.time.Duration;
import java.util.List;

/**
 * Gives due tasks to workers that wait: claims in the store first, in one statement for all of
 * them, then hands out (DA-16, DA-19). Sleeps until the next task that somebody waits for comes
 * due.
 */
final class ClaimStep implements Step {
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

  private final TaskConfig config;
  private final TaskPorts ports;
  private final Queues queues;

  ClaimStep(TaskConfig config, TaskPorts ports, Queues queues) {
    this.config = config;
    this.ports = ports;
    this.queues = queues;
  }

  @Override
  public String name() {
    return "claim-tasks";
  }

  @Override
  public Next runOnce() {
    if (ports.life().get().isEmpty()) {
      return Next.after(LONGEST_WAIT);
    }
    long now = EpochMicros.of(ports.clock().instant());
    List<Match> matches = queues.match(now, config.maxBatch());
    if (matches.isEmpty()) {
      return nextTask();
    }
    Claims claims = Claims.NONE;
    boolean answered = false;
    try {
      claims = ports.tasks().claim(matches.stream().map(Match::claim).toList(), config.lease());
      answered = true;
    } finally {
      if (!answered) {
        // If the claim has taken effect, the next one is refused for its fence, and the lease
        // lapses.
        queues.putBack(matches.stream().map(Match::task).toList());
      }
      queues.hand(matches, claims);
    }
    tell(matches, claims);
    return Next.AT_ONCE;
  }

  private Next nextTask() {
    long now = EpochMicros.of(ports.clock().instant());
    return Next.after(queues.toNextTask(now, LONGEST_WAIT));
  }

  private void tell(List<Match> matches, Claims claims) {
    if (!claims.heldBack().isEmpty()) {
      ports.events().heldBack(claims.heldBack().size());
    }
    long now = EpochMicros.of(ports.clock().instant());
    for (Match match : matches) {
      if (claims.claimed().contains(match.task().task())) {
        ports.events().started(match.queue().name, now - match.task().triggerMicros());
      }
    }
  }
}
