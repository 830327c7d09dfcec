package io.kairos.cli;

import io.kairos.cli.terminal.Terminal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A terminal whose answers the test knows. Time does not pass: whoever sleeps runs the next step of
 * the test, and is interrupted when there is none.
 */
final class ScriptedTerminal implements Terminal {
  final List<String> questions = new ArrayList<>();
  final List<Duration> sleeps = new ArrayList<>();

  private final boolean interactive;
  private final boolean confirms;
  private final Queue<Runnable> steps = new ConcurrentLinkedQueue<>();

  private ScriptedTerminal(boolean interactive, boolean confirms) {
    this.interactive = interactive;
    this.confirms = confirms;
  }

  static ScriptedTerminal none() {
    return new ScriptedTerminal(false, false);
  }

  static ScriptedTerminal interactive(boolean confirms) {
    return new ScriptedTerminal(true, confirms);
  }

  ScriptedTerminal meanwhile(Runnable... steps) {
    this.steps.addAll(List.of(steps));
    return this;
  }

  @Override
  public boolean isInteractive() {
    return interactive;
  }

  @Override
  public boolean confirms(String question) {
    questions.add(question);
    return confirms;
  }

  @Override
  public void sleep(Duration time) throws InterruptedException {
    sleeps.add(time);
    Runnable next = steps.poll();
    if (next == null) {
      throw new InterruptedException();
    }
    next.run();
  }
}
