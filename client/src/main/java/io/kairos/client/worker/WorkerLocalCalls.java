package io.kairos.client.worker;

import io.kairos.client.net.CallRefusal;
import io.kairos.client.net.LocalNode;
import io.kairos.client.net.NodeTurns;
import io.kairos.client.time.ActionTimer;
import io.kairos.client.time.ActionTimer.Cancellation;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Calls to a node of this process. Answers are handled on a thread of the worker, because those of
 * the node have work of their own.
 */
record WorkerLocalCalls(LocalNode node, ActionTimer timer, Executor answers)
    implements WorkerNodeCalls {
  static WorkerLink to(LocalNode node, ActionTimer timer, Executor answers) {
    return new WorkerLink(new WorkerLocalCalls(node, timer, answers), new NodeTurns(1), () -> {});
  }

  @Override
  public <A> void call(
      int number,
      Class<A> answer,
      Object request,
      Duration timeout,
      boolean waitForNode,
      Consumer<A> answered,
      Consumer<CallRefusal> failed) {
    AtomicBoolean done = new AtomicBoolean();
    Cancellation late =
        timer.after(
            timeout,
            () -> {
              if (done.compareAndSet(false, true)) {
                failed.accept(CallRefusal.noAnswer(timeout));
              }
            });
    node.call(
        request,
        answer,
        value -> once(done, late, () -> answered.accept(value)),
        refusal -> once(done, late, () -> failed.accept(refusal)));
  }

  private void once(AtomicBoolean done, Cancellation late, Runnable action) {
    if (done.compareAndSet(false, true)) {
      late.cancel();
      answers.execute(action);
    }
  }
}
