package io.kairos.simulator.task;

import static io.kairos.simulator.kernel.RareState.REFUSED_BY_A_STOPPING_NODE;

import io.kairos.engine.task.edge.AnswerCallback;
import io.kairos.engine.task.edge.NodeStopping;
import io.kairos.engine.task.edge.NotEnrolled;
import io.kairos.simulator.kernel.FiberGroup;
import io.kairos.simulator.kernel.Kernel;
import io.kairos.simulator.kernel.NodeHost;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Calls of workers and callers to nodes. Requests and answers take time and may be lost, nodes may
 * be down or die during a call, and callers give up.
 */
final class WorkerNetwork {
  private final TaskCluster world;
  private final Kernel kernel;
  private final Set<FiberGroup> cutOff = new HashSet<>();

  WorkerNetwork(TaskCluster world) {
    this.world = world;
    this.kernel = world.kernel;
  }

  /** The result of a call, for its caller. */
  interface Reply<T> {
    void answered(T value);

    /**
     * Nobody has answered, or with a refusal.
     *
     * @param hasHappened false when it surely has not, true when nobody knows
     */
    void failed(boolean hasHappened);
  }

  /** Cuts this process off: nothing that it sends arrives, and nothing arrives at it. */
  void cut(FiberGroup process) {
    cutOff.add(process);
  }

  void mend(FiberGroup process) {
    cutOff.remove(process);
  }

  void heal() {
    cutOff.clear();
  }

  /** A caller has died; mostly the nodes notice. */
  void died(FiberGroup from) {
    for (NodeHost<TaskNodeRun> node : world.nodes) {
      TaskNodeRun process = node.process();
      if (process != null) {
        for (Call<?> call : List.copyOf(process.open)) {
          if (call.from == from && world.weather.random.nextInt(4) > 0) {
            call.abandon();
          }
        }
      }
    }
  }

  /**
   * Makes a call, which the caller gives up after so long.
   *
   * @param request puts it to the node, which answers the call
   */
  <T> void call(
      FiberGroup from,
      NodeHost<TaskNodeRun> to,
      long timeoutNanos,
      BiConsumer<TaskNodeRun, Call<T>> request,
      Reply<T> reply) {
    Call<T> call = call(from, to, request, reply);
    kernel.tell(from, timeoutNanos, call::timedOut);
  }

  /** Makes a call, which the caller may {@link Call#abandon}. */
  <T> Call<T> call(
      FiberGroup from,
      NodeHost<TaskNodeRun> to,
      BiConsumer<TaskNodeRun, Call<T>> request,
      Reply<T> reply) {
    Call<T> call = new Call<>(from, reply);
    kernel.after(
        world.weather.brokerNanos(),
        () -> {
          if (!isLost(from)) {
            arrive(to, call, request);
          }
        });
    return call;
  }

  private boolean isLost(FiberGroup from) {
    return cutOff.contains(from) || world.weather.losesAck();
  }

  private <T> void arrive(
      NodeHost<TaskNodeRun> to, Call<T> call, BiConsumer<TaskNodeRun, Call<T>> request) {
    TaskNodeRun node = to.process();
    if (node == null) {
      call.back(() -> call.reply.failed(false));
      return;
    }
    call.at(node);
    kernel.deliver(node.process, 0, () -> request.accept(node, call));
  }

  /** One call on its way; the node's side answers it once, the caller's side hears of it once. */
  final class Call<T> implements AnswerCallback<T> {
    private final FiberGroup from;
    private final Reply<T> reply;
    private @Nullable TaskNodeRun node;
    private @Nullable Runnable whenAbandoned;
    private boolean over;
    private boolean abandoned;

    private Call(FiberGroup from, Reply<T> reply) {
      this.from = from;
      this.reply = reply;
    }

    private void at(TaskNodeRun process) {
      node = process;
      process.open.add(this);
    }

    private void leaves() {
      TaskNodeRun process = node;
      if (process != null) {
        process.open.remove(this);
        node = null;
      }
    }

    @Override
    public void answered(T value) {
      leaves();
      if (isLost(from)) {
        world.ledger.lostAnswer(value);
      } else {
        back(() -> reply.answered(value));
      }
    }

    @Override
    public void failed(RuntimeException cause) {
      leaves();
      boolean stops = cause instanceof NodeStopping;
      boolean hasHappened = !stops && !(cause instanceof NotEnrolled);
      world.ledger.reached(REFUSED_BY_A_STOPPING_NODE, stops);
      if (!isLost(from)) {
        back(() -> reply.failed(hasHappened));
      }
    }

    /** The node has taken nothing in. */
    void refused() {
      leaves();
      back(() -> reply.failed(false));
    }

    private void back(Runnable heard) {
      kernel.tell(from, world.weather.brokerNanos(), () -> hear(heard));
    }

    private void hear(Runnable heard) {
      if (!over) {
        over = true;
        heard.run();
      }
    }

    /** Its connection breaks; mostly the caller notices at once. */
    void nodeDied() {
      leaves();
      if (world.weather.random.nextInt(4) > 0) {
        back(() -> reply.failed(true));
      }
    }

    private void timedOut() {
      hear(() -> {
        abandon();
        reply.failed(true);
      });
    }

    /** The caller waits no longer; the node learns so a little later. */
    void abandon() {
      over = true;
      TaskNodeRun process = node;
      if (process != null) {
        kernel.deliver(
            process.process,
            world.weather.brokerNanos(),
            () -> {
              abandoned = true;
              Runnable action = whenAbandoned;
              if (action != null) {
                action.run();
              }
            });
      }
    }

    /** True when the caller no longer waits; asked on the node's side. */
    boolean isAbandoned() {
      return abandoned;
    }

    void whenAbandoned(Runnable action) {
      whenAbandoned = action;
      if (abandoned) {
        action.run();
      }
    }
  }
}
