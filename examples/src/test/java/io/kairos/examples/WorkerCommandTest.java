package io.kairos.examples;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.cli.CliMain;
import io.kairos.client.Task;
import io.kairos.client.TaskRequest;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.task.RetryPolicy;
import io.kairos.client.task.TaskId;
import io.kairos.client.task.TaskState;
import io.kairos.client.worker.Worker;
import io.kairos.junit.KairosExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code kairos worker exec} and {@code kairos worker controller} as the processes that they are.
 */
class WorkerCommandTest {
  private static final int ENDED_BY_SIGTERM = 143;

  @RegisterExtension static final KairosExtension KAIROS = new KairosExtension();

  @TempDir Path folder;
  private final List<Process> started = new ArrayList<>();

  @AfterEach
  void stop() {
    started.forEach(Process::destroyForcibly);
  }

  private Process worker(String kind, List<String> words) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(requireNonNull(System.getProperty("java.home")), "bin", "java").toString(),
                "-cp",
                requireNonNull(System.getProperty("java.class.path")),
                CliMain.class.getName(),
                "worker",
                "--address=" + KAIROS.address(),
                kind));
    command.addAll(words);
    Process process = Python.start(command, folder.resolve("worker.log"));
    started.add(process);
    return process;
  }

  private Process exec(String handler, String script) throws IOException {
    return worker(
        "exec", List.of("--handler=" + handler, "--drain=0s", "--", "/bin/sh", "-c", script));
  }

  /** A process that is just starting takes nothing yet, which the node calls quiescent. */
  private static Task ended(TaskId id) {
    Task task = KAIROS.client().get(id);
    for (int look = 0; look < 60 && !task.state().isFinished(); look++) {
      KAIROS.awaitQuiescence();
      task = KAIROS.client().get(id);
    }
    return task;
  }

  @Test
  void da12_exec_performs_tasks_by_a_program_and_ends_when_it_is_told() throws Exception {
    Path got = folder.resolve("got");
    Process worker = exec("shell", "cat > " + got + "; echo too bad >&2; exit 65");

    Task task = ended(KAIROS.client().schedule(TaskRequest.to("shell").payload("Grüße").build()));
    worker.destroy();

    assertThat(task.state()).isEqualTo(TaskState.FAILED);
    assertThat(task.failures().getFirst().error()).isEqualTo("exit code 65: too bad");
    assertThat(got).hasContent("Grüße");
    assertThat(worker.waitFor()).isEqualTo(ENDED_BY_SIGTERM);
  }

  @Test
  void da22_exec_leaves_no_program_behind_that_does_not_want_to_end() throws Exception {
    Path pipe = folder.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    TaskId id =
        KAIROS
            .client()
            .schedule(
                TaskRequest.to("stubborn")
                    .retryPolicy(
                        RetryPolicy.attempts(2)
                            .backoff(Duration.ofHours(1), 1, Duration.ofHours(1)))
                    .build());
    Process worker = exec("stubborn", "trap '' TERM; echo $$ > " + pipe + "; sleep 1000");
    ProcessHandle program =
        ProcessHandle.of(Long.parseLong(Files.readString(pipe).strip())).orElseThrow();

    worker.destroy();

    assertThat(worker.waitFor()).isEqualTo(ENDED_BY_SIGTERM);
    program.onExit().get(1, TimeUnit.MINUTES);
    assertThat(KAIROS.client().get(id).failures())
        .extracting(Task.Failure::error)
        .containsExactly("the worker was stopped");
  }

  @Test
  void an_executor_process_performs_several_tasks_at_once_when_it_asks_for_them() throws Exception {
    worker(
        "controller",
        List.of(
            "--handler=" + TogetherExecutor.HANDLER,
            "--tasks=" + TogetherExecutor.AT_ONCE,
            "--",
            Path.of(requireNonNull(System.getProperty("java.home")), "bin", "java").toString(),
            "-cp",
            requireNonNull(System.getProperty("java.class.path")),
            TogetherExecutor.class.getName()));
    List<TaskId> ids = new ArrayList<>();
    for (int i = 0; i < TogetherExecutor.AT_ONCE; i++) {
      ids.add(KAIROS.client().schedule(TaskRequest.to(TogetherExecutor.HANDLER).build()));
    }

    for (TaskId id : ids) {
      assertThat(ended(id).state()).isEqualTo(TaskState.SUCCEEDED);
    }
  }

  @Test
  void da16_a_controller_takes_only_tasks_that_its_executors_ask_for() throws Exception {
    Python python = Python.find(folder);
    List<String> words = new ArrayList<>(List.of("--handler=greet,other", "--drain=0s", "--"));
    words.addAll(python.example());
    Process controller = worker("controller", words);
    Task greeted = ended(KAIROS.client().schedule(TaskRequest.to("greet").payload("you").build()));

    TaskId other = KAIROS.client().schedule(TaskRequest.to("other").build());
    try (Worker another = Worker.connect(KAIROS.address())) {
      another.handle("other", PayloadCodec.bytes(), (payload, context) -> {});
      another.start();
      assertThat(ended(other).state()).isEqualTo(TaskState.SUCCEEDED);
    }
    controller.destroy();

    assertThat(greeted.state()).isEqualTo(TaskState.SUCCEEDED);
    assertThat(controller.waitFor()).isEqualTo(ENDED_BY_SIGTERM);
    assertThat(folder.resolve("worker.log.out")).content().contains("hello you");
  }
}
