package io.kairos.client.exec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.google.protobuf.ByteString;
import io.kairos.api.v1.Task;
import io.kairos.api.v1.Work;
import io.kairos.client.encryption.EncryptedPayloads;
import io.kairos.client.encryption.PayloadKeys;
import io.kairos.client.handler.CancelReason;
import io.kairos.client.handler.FatalFailure;
import io.kairos.client.handler.RetryLater;
import io.kairos.client.handler.Snooze;
import io.kairos.client.handler.TaskContext;
import io.kairos.client.task.TaskResult;
import io.kairos.client.worker.TestAttempt;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExecHandlerTest {
  private static final byte[] NOTHING = {};

  @TempDir Path folder;
  private final TestAttempt attempt = new TestAttempt("customer 7", Duration.ofSeconds(4)::toNanos);
  private final TaskContext context = attempt.context();

  private static ExecHandler shell(String script) {
    return ExecHandler.of(List.of("/bin/sh", "-c", script));
  }

  private Throwable failureOf(String script) {
    return failureOf(shell(script));
  }

  private Throwable failureOf(ExecHandler handler) {
    return catchThrowable(() -> handler.handle(NOTHING, context));
  }

  @Test
  void the_payload_is_standard_input() throws Exception {
    Path got = folder.resolve("got");

    shell("cat > " + got).handle("Grüße".getBytes(UTF_8), context);

    assertThat(got).hasContent("Grüße");
  }

  @Test
  void a_program_that_does_not_read_its_payload_blocks_nobody() {
    assertThatCode(() -> shell("exit 0").handle(new byte[1 << 20], context))
        .doesNotThrowAnyException();
  }

  @Test
  void da12_the_exit_code_is_the_outcome() {
    assertThat(failureOf("exit 0")).isNull();
    assertThat(failureOf("exit 75")).isInstanceOf(RetryLater.class);
    assertThat(failureOf("exit 1")).isInstanceOf(RetryLater.class).hasMessage("exit code 1");
    assertThat(failureOf("exit 64")).isInstanceOf(FatalFailure.class);
    assertThat(failureOf("exit 65")).isInstanceOf(FatalFailure.class);
  }

  @Test
  void a_program_tells_how_far_it_has_come_by_a_file_that_is_gone_after_it() throws Exception {
    Path told = folder.resolve("told");
    Path where = folder.resolve("where");
    CompletableFuture<?> performing =
        CompletableFuture.runAsync(() -> {
          try {
            shell(
                    "echo \"$KAIROS_PROGRESS\" > %s; echo '40%% pages of 7' > \"$KAIROS_PROGRESS\"; while ! [ -e %s ]; do sleep 0.05; done"
                        .formatted(where, told))
                .handle(NOTHING, context);
          } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });

    while (attempt.progress() == null && !performing.isDone()) {
      TimeUnit.MILLISECONDS.sleep(20);
    }

    assertThat(attempt.progress()).isEqualTo("40 pages of 7");
    Files.createFile(told);
    performing.get(30, TimeUnit.SECONDS);
    assertThat(Path.of(Files.readString(where).strip())).doesNotExist();
  }

  @Test
  void which_codes_are_fatal_is_the_users_choice() {
    ExecHandler handler = shell("exit 3").withFatalCodes(Set.of(3));

    assertThatThrownBy(() -> handler.handle(NOTHING, context)).isInstanceOf(FatalFailure.class);
  }

  @Test
  void an_exit_code_of_the_users_choice_puts_the_task_off() {
    ExecHandler handler = shell("exit 99").withSnoozeCodes(Map.of(99, Duration.ofMinutes(10)));

    assertThat(failureOf(handler))
        .isInstanceOfSatisfying(
            Snooze.class, snooze -> assertThat(snooze.delay()).isEqualTo(Duration.ofMinutes(10)));
    assertThatThrownBy(() -> shell("exit 0").withSnoozeCodes(Map.of(0, Duration.ZERO)))
        .hasMessageContaining("[1, 255]");
  }

  @Test
  void a_program_that_is_not_there_is_tried_again() {
    ExecHandler handler = ExecHandler.of(List.of(folder.resolve("nothing").toString()));

    assertThatThrownBy(() -> handler.handle(NOTHING, context)).isInstanceOf(IOException.class);
  }

  @Test
  void the_last_of_standard_error_is_the_error_text() {
    Throwable failure =
        failureOf("i=0; while [ $i -lt 500 ]; do echo line $i >&2; i=$((i+1)); done; exit 2");

    assertThat(failure.getMessage())
        .startsWith("exit code 2: ")
        .endsWith("line 499")
        .hasSizeLessThan(2_000);
  }

  @Test
  void standard_output_is_the_result_where_that_is_asked_for() throws Exception {
    TestAttempt attempt = new TestAttempt("", () -> 1);

    shell("cat; printf ' done'")
        .returningOutput("text/x-log")
        .handle("work".getBytes(UTF_8), attempt.context());

    assertThat(attempt.result())
        .isEqualTo(TaskResult.of("work done".getBytes(UTF_8), "text/x-log"));
  }

  @Test
  void more_output_than_a_result_may_have_is_a_fatal_failure() {
    ExecHandler handler = shell("head -c 300000 /dev/zero").returningOutput("");

    assertThatThrownBy(() -> handler.handle(NOTHING, context))
        .isInstanceOf(FatalFailure.class)
        .hasMessageContaining("300,000 bytes");
  }

  @Test
  void the_task_is_in_the_environment() throws Exception {
    Path got = folder.resolve("got");

    shell(
            "echo $KAIROS_TASK_ID $KAIROS_HANDLER $KAIROS_FENCE $KAIROS_ATTEMPT $KAIROS_PRIORITY"
                + " $KAIROS_DUE_AT $KAIROS_WORKER $KAIROS_COLLECTION $TRACEPARENT"
                + " \"$KAIROS_KEY\" > "
                + got)
        .handle(NOTHING, context);

    assertThat(Files.readString(got).strip())
        .isEqualTo(
            TestAttempt.ID + " resize 12 3 50 1970-01-01T00:00:09Z w1 import 00-a-b-01 customer 7");
  }

  @Test
  void what_the_task_has_waited_for_is_in_files_while_the_program_runs() throws Exception {
    Path got = folder.resolve("got");
    Work.Predecessor load =
        Work.Predecessor.newBuilder()
            .setId(TestAttempt.ID)
            .setHandler("load")
            .setState(Task.State.SUCCEEDED)
            .setResult(
                io.kairos.api.v1.TaskResult.newBuilder()
                    .setValue(ByteString.copyFromUtf8("42 rows"))
                    .setContentType("text/plain"))
            .setResultBytes(7)
            .build();
    TaskContext context = contextBehind(load);

    shell(
            "(echo $KAIROS_PREDECESSORS; cat $KAIROS_PREDECESSORS/list $KAIROS_PREDECESSORS/*.result)"
                + " > "
                + got)
        .handle(NOTHING, context);

    List<String> lines = Files.readAllLines(got);
    assertThat(lines)
        .endsWith(TestAttempt.ID + "\tload\tSUCCEEDED\t7\ttext/plain", "42 rows")
        .hasSize(3);
    assertThat(Path.of(lines.get(0))).doesNotExist();
  }

  private static TaskContext contextBehind(Work.Predecessor predecessor) {
    return new TestAttempt(TestAttempt.ID, "", () -> 1, List.of(predecessor)).context();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mkdir -p $KAIROS_PREDECESSORS/a/b && touch $KAIROS_PREDECESSORS/a/b/c",
        "rm -r $KAIROS_PREDECESSORS"
      })
  void whatever_the_program_does_in_the_directory_of_its_predecessors_it_succeeds_and_that_is_gone(
      String command) throws Exception {
    Path got = folder.resolve("got");
    TaskContext context =
        contextBehind(Work.Predecessor.newBuilder().setId(TestAttempt.ID).build());

    shell("echo $KAIROS_PREDECESSORS > " + got + " && " + command).handle(NOTHING, context);

    assertThat(Path.of(Files.readString(got).strip())).doesNotExist();
  }

  @Test
  void a_program_runs_without_a_result_that_cannot_be_decrypted() throws Exception {
    Path got = folder.resolve("got");
    TaskContext context =
        new TestAttempt(
                EncryptedPayloads.with(PayloadKeys.parse("k1:" + "A".repeat(43) + "=")),
                Work.Predecessor.newBuilder()
                    .setId(TestAttempt.ID)
                    .setHandler("load")
                    .setState(Task.State.SUCCEEDED)
                    .setResult(
                        io.kairos.api.v1.TaskResult.newBuilder()
                            .setValue(ByteString.copyFromUtf8("plain")))
                    .setResultBytes(5)
                    .build())
            .context();

    shell("cat $KAIROS_PREDECESSORS/* > " + got).handle(NOTHING, context);

    assertThat(got).content().isEqualTo(TestAttempt.ID + "\tload\tSUCCEEDED\t5\t\n");
  }

  @Test
  void what_the_task_has_not_is_not_in_the_environment() throws Exception {
    Path got = folder.resolve("got");
    TaskContext keyless = new TestAttempt("", () -> 1).context();

    shell("echo ${KAIROS_KEY-none} > " + got).handle(NOTHING, keyless);

    assertThat(got).hasContent("none");
  }

  @Test
  void da22_a_lost_lease_kills_the_program_and_all_that_it_has_started() throws Exception {
    Path pipe = pipe();
    CompletableFuture<Throwable> failure =
        inBackground("trap '' TERM; sleep 1000 & echo $! > " + pipe + "; wait");
    ProcessHandle child = childNamedIn(pipe);

    attempt.cancel(CancelReason.LEASE_LOST);

    assertGaveIn(failure);
    child.onExit().get(20, TimeUnit.SECONDS);
  }

  @Test
  void a_requested_cancel_lets_the_program_clean_up() throws Exception {
    Path pipe = pipe();
    Path cleaned = folder.resolve("cleaned");
    CompletableFuture<Throwable> failure =
        inBackground(
            "trap 'echo yes > "
                + cleaned
                + "; exit 9' TERM; sleep 1000 & echo $! > "
                + pipe
                + "; wait");
    ProcessHandle child = childNamedIn(pipe);

    attempt.cancel(CancelReason.CANCEL_REQUESTED);

    assertGaveIn(failure);
    child.onExit().get(20, TimeUnit.SECONDS);
    assertThat(cleaned).hasContent("yes\n");
  }

  @Test
  void one_that_ignores_the_request_is_killed_when_patience_ends() throws Exception {
    Path pipe = pipe();
    CompletableFuture<Throwable> failure =
        inBackground(
            "trap '' TERM; (trap '' TERM; exec sleep 1000) & echo $! > " + pipe + "; wait");
    ProcessHandle child = childNamedIn(pipe);
    attempt.cancel(CancelReason.EXECUTION_TIMEOUT);

    // A second interrupt ends the patience, as time would.
    attempt.cancel(CancelReason.LEASE_LOST);

    assertGaveIn(failure);
    child.onExit().get(20, TimeUnit.SECONDS);
  }

  @Test
  void da22_its_close_kills_what_still_runs() throws Exception {
    Path pipe = pipe();
    ExecHandler handler =
        shell("trap '' TERM; (trap '' TERM; exec sleep 1000) & echo $! > " + pipe + "; wait");
    CompletableFuture<Throwable> failure = inBackground(handler);
    ProcessHandle child = childNamedIn(pipe);

    handler.close();

    child.onExit().get(20, TimeUnit.SECONDS);
    // Killed, or found dead by a handler that had not yet looked whether it was closed.
    assertThat(failure.get(20, TimeUnit.SECONDS))
        .isInstanceOf(RetryLater.class)
        .message()
        .isIn("exit code 137", "the worker has ended");
  }

  @Test
  void da22_what_begins_after_its_close_is_killed() {
    ExecHandler handler = shell("exec sleep 1000");
    handler.close();

    assertThat(failureOf(handler)).isInstanceOf(RetryLater.class);
  }

  @Test
  void a_command_is_needed() {
    assertThatThrownBy(() -> ExecHandler.of(List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** By the interrupt, or because the program had ended before the handler waited for it. */
  private static void assertGaveIn(CompletableFuture<Throwable> failure) throws Exception {
    assertThat(failure.get(20, TimeUnit.SECONDS))
        .isInstanceOfAny(InterruptedException.class, CancellationException.class);
  }

  /** Reading from it waits until somebody writes. */
  private Path pipe() throws Exception {
    Path pipe = folder.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    return pipe;
  }

  private static ProcessHandle childNamedIn(Path pipe) throws IOException {
    long pid = Long.parseLong(Files.readString(pipe).strip());
    return ProcessHandle.of(pid).orElseThrow();
  }

  private CompletableFuture<Throwable> inBackground(String script) {
    return inBackground(shell(script));
  }

  private CompletableFuture<Throwable> inBackground(ExecHandler handler) {
    CompletableFuture<Throwable> failure = new CompletableFuture<>();
    Thread executor =
        new Thread(() -> {
          attempt.begin();
          failure.complete(failureOf(handler));
        });
    executor.setDaemon(true);
    executor.start();
    return failure;
  }
}
