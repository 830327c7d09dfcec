package io.kairos.engine.task;

import io.kairos.domain.node.NodeId;
import io.kairos.engine.loop.NextRound;
import io.kairos.engine.loop.Wakeup;
import io.kairos.engine.task.setup.TaskPorts;
import java.time.Duration;
import java.util.Optional;

/**
 * Wakes the store consumer when another node notifies that tasks are due soon. The consumer looks
 * twice for each notification: tasks may be committed after the notification, and tasks shortly
 * after a notification are not notified again.
 */
final class ListenStep {
  private static final Duration NOT_ENROLLED = Duration.ofSeconds(1);

  /** The longest wait for a notification; a node that stops may have to wait for it to end. */
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

  NextRound runOnce() {
    Optional<NodeId> life = ports.life().get();
    if (life.isEmpty()) {
      return NextRound.after(NOT_ENROLLED);
    }
    if (looksAgain) {
      look();
    }
    looksAgain = ports.notifier().heard(life.get(), LONGEST_WAIT);
    if (looksAgain) {
      look();
    }
    return NextRound.after(looksAgain ? SECOND_LOOK : PAUSE);
  }

  /**
   * Wakes the store consumer and has queue numbers read again, because new tasks may be on new
   * queues.
   */
  private void look() {
    numbers.expectNew();
    consume.signal();
  }
}
