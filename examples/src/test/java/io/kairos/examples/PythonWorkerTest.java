package io.kairos.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.client.KairosClient;
import io.kairos.client.Task;
import io.kairos.client.TaskRequest;
import io.kairos.client.process.ProcessExecutors;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.task.RetryPolicy;
import io.kairos.client.task.TaskId;
import io.kairos.client.task.TaskState;
import io.kairos.client.worker.AttemptEnding;
import io.kairos.client.worker.Worker;
import io.kairos.client.worker.WorkerListener;
import io.kairos.embedded.EmbeddedPostgres;
import io.kairos.server.wiring.RunningNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The worker in Python on a real node: by itself, and as an executor of a controller. */
class PythonWorkerTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final RetryPolicy AT_ONCE =
      RetryPolicy.attempts(20).backoff(Duration.ZERO, 1, Duration.ZERO);

  @TempDir static Path folder;

  private static Python python;
  private static RunningNode node;
  private static String address;
  private static KairosClient client;

  @BeforeAll
  static void start() throws Exception {
    python = Python.find(folder);
    node = ExampleNode.on(EmbeddedPostgres.shared().newDatabase());
    address = "127.0.0.1:" + node.places().httpPort();
    client = KairosClient.connect(address);
  }

  @AfterAll
  static void stop() {
    if (node != null) {
      client.close();
      node.close();
    }
  }

  @Test
  void da22_one_that_is_cut_off_ends_before_another_begins_its_task() throws Exception {
    Path errors = folder.resolve("cut-off.log");
    try (Effects effects = new Effects();
        Relay relay = new Relay(node.places().httpPort())) {
      Process first =
          Python.start(
              python.effects(relay.address(), "p1", Integer.toString(effects.port()), "30"),
              errors);
      Process second = null;
      try {
        TaskId id =
            client.schedule(
                TaskRequest.to("effect").payload("cut-off").retryPolicy(AT_ONCE).build());
        Effects.Effect effect = effects.await(one -> one.task().equals("cut-off"));
        second =
            Python.start(
                python.effects(address, "p2", Integer.toString(effects.port()), "1"),
                folder.resolve("second.log"));
        relay.cut();

        effects.await(one -> one.fence() > effect.fence());

        assertThat(first.waitFor()).isEqualTo(70);
        assertThat(Python.read(errors)).contains("worker ends: ");
        assertThat(ended(id).state()).isEqualTo(TaskState.SUCCEEDED);
        effects.assertNeverTwoAtATime("cut-off");
      } finally {
        first.destroyForcibly();
        if (second != null) {
          second.destroyForcibly();
        }
      }
    }
  }

  @Test // DA-24
  void the_example_performs_what_it_is_given_and_ends_when_it_is_told() throws Exception {
    Path errors = folder.resolve("greet.log");
    TaskId good = client.schedule(TaskRequest.to("greet").payload("world").build());
    Process worker = Python.start(python.example("--address", address), errors);
    try {
      assertThat(ended(good).state()).isEqualTo(TaskState.SUCCEEDED);
      TaskId bad =
          client.schedule(
              TaskRequest.to("greet")
                  .payload(new byte[] {-1})
                  .retryPolicy(RetryPolicy.attempts(1))
                  .build());
      Task dead = ended(bad);

      assertThat(dead.state()).isEqualTo(TaskState.DEAD);
      assertThat(dead.failures().getFirst().error()).contains("UnicodeDecodeError");
    } finally {
      worker.destroy();
    }
    assertThat(worker.waitFor()).isZero();
    assertThat(Python.read(errors.resolveSibling("greet.log.out")))
        .contains("hello world, this is attempt 1");
  }

  @Test
  void da20_however_a_handler_ends_its_task_is_reported_and_the_worker_goes_on() throws Exception {
    TaskId exits = client.schedule(failing("exit"));
    Process worker =
        Python.start(python.effects(address, "p3", "1", "1"), folder.resolve("failing.log"));
    try {
      assertThat(ended(exits).failures().getFirst().error())
          .contains("SystemExit", "the handler has had enough");
      Task unprintable = ended(client.schedule(failing("unprintable")));

      assertThat(unprintable.state()).isEqualTo(TaskState.FAILED);
      assertThat(unprintable.failures().getFirst().error()).isEqualTo("no such file: ?.txt");
    } finally {
      worker.destroyForcibly();
    }
  }

  private static TaskRequest failing(String how) {
    return TaskRequest.to("fail").payload(how).retryPolicy(RetryPolicy.attempts(1)).build();
  }

  @Test
  void da22_an_executor_that_is_stopped_is_killed_before_its_task_begins_elsewhere()
      throws Exception {
    BlockingQueue<AttemptEnding> endings = new LinkedBlockingQueue<>();
    try (Effects effects = new Effects();
        ProcessExecutors executors =
            ProcessExecutors.start(
                "controller", python.effects(Integer.toString(effects.port()), "3"), 2);
        Worker worker =
            Worker.builder(address)
                .name("controller")
                .concurrency(2)
                .listener(to(endings))
                .build()) {
      worker.handle("effect", PayloadCodec.bytes(), executors);
      worker.start();
      for (String task : List.of("stop-1", "stop-2", "stop-3")) {
        TaskId id =
            client.schedule(TaskRequest.to("effect").payload(task).retryPolicy(AT_ONCE).build());
        Effects.Effect effect = effects.await(one -> one.task().equals(task));

        signal("-STOP", effect.pid());

        // Three seconds of work follow the two of silence: longer than the lease of 4.5 s.
        assertThat(endings.poll(60, TimeUnit.SECONDS)).isEqualTo(AttemptEnding.RETRY_LATER);
        // A machine that stands still makes the next executor silent, too.
        AttemptEnding ending = AttemptEnding.RETRY_LATER;
        while (ending == AttemptEnding.RETRY_LATER) {
          ending = endings.poll(60, TimeUnit.SECONDS);
        }
        assertThat(ending).isEqualTo(AttemptEnding.SUCCEEDED);
        signal("-CONT", effect.pid());
        Task done = ended(id);
        assertThat(done.state()).isEqualTo(TaskState.SUCCEEDED);
        assertThat(done.failures())
            .extracting(Task.Failure::error)
            .contains("its executor was silent for 2000 ms and was killed");
        assertThat(ProcessHandle.of(effect.pid())).isEmpty();
        effects.assertNeverTwoAtATime(task);
      }
    }
  }

  private static WorkerListener to(BlockingQueue<AttemptEnding> endings) {
    return new WorkerListener() {
      @Override
      public void ended(String handler, AttemptEnding ending, Duration took) {
        endings.add(ending);
      }
    };
  }

  /** The process may be gone. */
  private static void signal(String signal, long pid) throws IOException, InterruptedException {
    new ProcessBuilder("kill", signal, Long.toString(pid)).start().waitFor();
  }

  private static Task ended(TaskId id) throws InterruptedException {
    Task task = client.get(id);
    long untilNanos = System.nanoTime() + PATIENCE.toNanos();
    while (!task.state().isFinished() && System.nanoTime() - untilNanos < 0) {
      TimeUnit.MILLISECONDS.sleep(20);
      task = client.get(id);
    }
    return task;
  }
}
