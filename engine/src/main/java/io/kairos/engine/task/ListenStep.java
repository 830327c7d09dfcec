package io.kairos.engine.task;

import io.kairos.domain.node.NodeId;
import io.kairos.engine.loop.Next;
import io.kairos.engine.loop.Step;
import io.kairos.engine.loop.Wakeup;
import java.time.Duration;
import java.util.Optional;

/**
 * Wakes the store consumer when others say that something is due soon. Looks twice for each ring:
 * who rings in a transaction has not always committed last, and who comes shortly after it does not
 * ring again.
 */
final class ListenStep implements Step {
  private static final Duration NOT_ENROLLED = Duration.ofSeconds(1);

  /** Also how long a node that stops waits for this step. */
  private static final Duration LONGEST_WAIT = Duration.ofMillis(250);

  private static final Duration SECOND_LOOK = Duration.ofMillis(150);
  private static final Duration PAUSE = Duration.ofMillis(10);

  private final TaskPorts ports;
  private final QueueNumbers numbers;
  private final Wakeup consume;
  private boolean looksAgain;

  /**
   * @param consume wakes the store consumer
   */
  ListenStep(TaskPorts ports, QueueNumbers numbers, Wakeup consume) {
    this.ports = ports;
    this.numbers = numbers;
    this.consume = consume;
  }

  @Override
  public String name() {
    return "listen";
  }

  @Override
  public Next runOnce() {
    Optional<NodeId> life = ports.life().get();
    if (life.isEmpty()) {
      return Next.after(NOT_ENROLLED);
    }
    if (looksAgain) {
      look();
    }
    looksAgain = ports.bell().heard(life.get(), LONGEST_WAIT);
    if (looksAgain) {
      look();
    }
    return Next.after(looksAgain ? SECOND_LOOK : PAUSE);
  }

  /** What is new may be on a queue that is new as well. */
  private void look() {
    numbers.expectNew();
    consume.signal();
  }
}
