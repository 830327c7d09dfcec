package io.kairos.edge.call;

import static java.util.Objects.requireNonNull;

import io.kairos.engine.loop.NextRound;
import io.kairos.engine.loop.Step;
import io.kairos.engine.loop.StepActivity;
import io.kairos.engine.loop.Wakeup;
import io.kairos.engine.poll.StepPolling;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A node with one step that looks for work: at once, on the thread that polls, as a test wants. */
final class ScriptedPolling {
  final StepPolling polling;
  private final @Nullable Step driven;

  /** What the next rounds come to; null for a step whose thread is busy. */
  volatile @Nullable Supplier<NextRound> round =
      () -> NextRound.after(Duration.ofSeconds(1)).having(3);

  ScriptedPolling() {
    Wakeup wakeup =
        new Wakeup() {
          @Override
          public void signal() {
            turn();
          }

          @Override
          public void await(Duration atMost) {}
        };
    polling =
        new StepPolling(
            List.of(
                StepActivity.looking("fire-schedules", () -> requireNonNull(round).get(), wakeup)),
            false);
    driven = polling.activities().getFirst().step();
  }

  private void turn() {
    Step step = driven;
    if (step == null || round == null) {
      return;
    }
    try {
      step.runOnce();
    } catch (UnsupportedOperationException e) {
      // a loop would try again
    }
  }
}
