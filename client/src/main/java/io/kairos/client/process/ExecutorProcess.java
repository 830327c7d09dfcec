package io.kairos.client.process;

import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.kairos.client.exec.ProcessTree;
import io.kairos.client.time.ClientTime;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one executor process running, on its own thread. When a process has ended, another is
 * started after a pause. The pause grows while processes are killed, or end soon, without having
 * performed a task: on a machine so short of processors that heartbeats are late, starting
 * executors must not add to the load. The process gets a loopback address that serves it alone in
 * {@code KAIROS_ADDRESS}, and its name in {@code KAIROS_WORKER}.
 */
final class ExecutorProcess implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(ExecutorProcess.class);
  private static final Duration SHORTEST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  /** A process that has run for this long has not failed to start. */
  private static final Duration LONG_LIFE = Duration.ofSeconds(10);

  private final List<String> command;
  private final String name;
  private final ExecutorSlot slot;
  private final ClientTime time;
  private volatile boolean closed;
  private volatile @Nullable ProcessTree tree;

  ExecutorProcess(List<String> command, String name, ExecutorSlot slot, ClientTime time) {
    this.command = List.copyOf(command);
    this.name = name;
    this.slot = slot;
    this.time = time;
  }

  @Override
  public void run() {
    Duration pause = SHORTEST_PAUSE;
    try {
      while (!closed) {
        long begunAtNanos = time.nanos();
        ExecutorSlot.Life life = live();
        boolean livedLong = time.nanos() - begunAtNanos >= LONG_LIFE.toNanos();
        boolean sound =
            life == ExecutorSlot.Life.USEFUL || (life == ExecutorSlot.Life.IDLE && livedLong);
        pause = sound ? SHORTEST_PAUSE : pause;
        if (!closed) {
          time.sleep(pause);
        }
        pause =
            pause.multipliedBy(2).compareTo(LONGEST_PAUSE) > 0
                ? LONGEST_PAUSE
                : pause.multipliedBy(2);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Runs one process, from its start to its end.
   *
   * @return the kind of life that the process had
   */
  private ExecutorSlot.Life live() throws InterruptedException {
    Process process = null;
    ExecutorSlot.Life life = ExecutorSlot.Life.IDLE;
    Server server = null;
    String how = "its executor could not be started";
    try {
      server =
          NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
              .directExecutor()
              .addService(new LocalCalls(slot))
              .build()
              .start();
      ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
      builder.environment().put("KAIROS_ADDRESS", "127.0.0.1:" + server.getPort());
      builder.environment().put("KAIROS_WORKER", name);
      process = builder.start();
      ProcessTree started = new ProcessTree(process);
      tree = started;
      slot.runs(started);
      if (closed) {
        started.terminate();
      }
      how = "its executor ended with exit code " + process.waitFor();
      LOG.atInfo().addKeyValue("executor", name).log("an executor has ended: {}", how);
    } catch (IOException e) {
      LOG.atError()
          .addKeyValue("executor", name)
          .addKeyValue("cause", e.getMessage())
          .log("an executor cannot be started, will be tried again");
    } finally {
      life = end(process, server, how);
    }
    return life;
  }

  private ExecutorSlot.Life end(@Nullable Process process, @Nullable Server server, String how) {
    if (process != null && tree != null) {
      // Its descendants must not go on when its task is given to another executor.
      tree.kill();
    }
    ExecutorSlot.Life life = slot.ended(how);
    tree = null;
    if (server != null) {
      server.shutdownNow();
    }
    return life;
  }

  /** Asks the process to end, and starts no other. */
  void close() {
    closed = true;
    ProcessTree running = tree;
    if (running != null) {
      running.terminate();
    }
  }

  /** Kills the process. */
  void kill() {
    ProcessTree running = tree;
    if (running != null) {
      running.kill();
    }
  }
}
