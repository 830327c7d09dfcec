package io.kairos.engine.task;

import io.kairos.domain.task.FencedTask;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.loop.Next;
import io.kairos.engine.loop.Step;
import java.time.Duration;
import java.util.List;
import java.util.Set;

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
    List<Queues.Match> matches = queues.match(now, config.maxBatch());
    if (matches.isEmpty()) {
      return nextTask();
    }
    Set<FencedTask> claimed = Set.of();
    boolean answered = false;
    try {
      claimed =
          ports.tasks().claim(matches.stream().map(Queues.Match::claim).toList(), config.lease());
      answered = true;
    } finally {
      if (!answered) {
        // If the claim has taken effect, the next one is refused for its fence, and the lease
        // lapses.
        queues.putBack(matches.stream().map(Queues.Match::task).toList());
      }
      queues.hand(matches, claimed);
    }
    tell(matches, claimed);
    return Next.AT_ONCE;
  }

  private Next nextTask() {
    long next = queues.nextTriggerMicros();
    long now = EpochMicros.of(ports.clock().instant());
    long longest = EpochMicros.lengthOf(LONGEST_WAIT);
    long wait = next <= now ? 0 : next - now < longest ? next - now : longest;
    return Next.after(Duration.ofNanos(Math.multiplyExact(wait, 1_000)));
  }

  private void tell(List<Queues.Match> matches, Set<FencedTask> claimed) {
    long now = EpochMicros.of(ports.clock().instant());
    for (Queues.Match match : matches) {
      if (claimed.contains(match.task().task())) {
        ports.events().started(match.queue(), now - match.task().triggerMicros());
      }
    }
  }
}
