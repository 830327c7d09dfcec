package io.kairos.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import io.grpc.Status;
import io.kairos.api.v1.AwaitTaskResponse;
import io.kairos.api.v1.CancelTaskGraphResponse;
import io.kairos.api.v1.CancelTaskRequest;
import io.kairos.api.v1.CancelTaskResponse;
import io.kairos.api.v1.CancelTasksRequest;
import io.kairos.api.v1.ChangeTasksResponse;
import io.kairos.api.v1.Failure;
import io.kairos.api.v1.FailureGroup;
import io.kairos.api.v1.Idempotency;
import io.kairos.api.v1.ListFailureGroupsRequest;
import io.kairos.api.v1.ListFailureGroupsResponse;
import io.kairos.api.v1.ListTasksRequest;
import io.kairos.api.v1.ListTasksResponse;
import io.kairos.api.v1.Predecessor;
import io.kairos.api.v1.ScheduleTaskRequest;
import io.kairos.api.v1.ScheduleTaskResponse;
import io.kairos.api.v1.Task;
import io.kairos.api.v1.TaskFilter;
import io.kairos.api.v1.TaskGraph;
import io.kairos.api.v1.TaskResult;
import io.kairos.cli.ScriptedNode.Said;
import io.kairos.client.encryption.EncryptedPayloads;
import io.kairos.client.encryption.PayloadKeys;
import io.kairos.client.encryption.PayloadTarget;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code kairos task}: which words become which request, and what is printed. */
final class TaskCommandTest {
  private static final String ID = "019b76da-a800-7000-8000-000000000004";

  private final ScriptedNode node = new ScriptedNode();

  @AfterEach
  void stop() {
    node.close();
  }

  private static Duration seconds(long seconds) {
    return Duration.newBuilder().setSeconds(seconds).build();
  }

  @Test
  void an_awaited_task_says_how_it_has_ended_and_leaves_its_value_in_a_file(@TempDir Path folder)
      throws Exception {
    AwaitTaskResponse done =
        AwaitTaskResponse.newBuilder()
            .setTask(
                Task.newBuilder()
                    .setId(ID)
                    .setHandler("mail")
                    .setState(Task.State.SUCCEEDED)
                    .setResultValue(
                        TaskResult.newBuilder()
                            .setValue(ByteString.copyFromUtf8("sent"))
                            .setContentType("text/plain")))
            .build();
    node.answers(done, done);

    assertThat(node.kairos("task await " + ID)).isEqualTo(new Said(0, "succeeded: sent", ""));
    Path file = folder.resolve("value");
    assertThat(node.kairos("task await " + ID + " --save=" + file).code()).isZero();
    assertThat(Files.readString(file)).isEqualTo("sent");
  }

  @Test
  void an_awaited_task_that_fails_or_goes_on_has_exit_codes_of_its_own() {
    node.answers(
        AwaitTaskResponse.newBuilder()
            .setTask(
                Task.newBuilder()
                    .setId(ID)
                    .setHandler("mail")
                    .setState(Task.State.DEAD)
                    .addFailures(Failure.newBuilder().setError("no route")))
            .build(),
        AwaitTaskResponse.getDefaultInstance());

    assertThat(node.kairos("task await " + ID)).isEqualTo(new Said(1, "dead: no route", ""));
    assertThat(node.kairos("task await " + ID + " --for=0s"))
        .isEqualTo(new Said(3, "has not ended", ""));
  }

  @Test
  void the_options_of_a_task_become_its_fields() {
    node.answers(ScheduleTaskResponse.newBuilder().setId(ID).setDuplicate(true).build());

    Said said =
        node.kairos(
            "task add mail --payload=x --priority=7 --key=anna --collection=spring "
                + "--fairness-key=acme --fairness-weight=3 "
                + "--max-attempts=3 --timeout=2m --delay=90s "
                + "--start-by=2090-01-01T00:00:00Z --reject-beyond=9m --idempotency-key=once --window=P1D "
                + "--on-conflict=error");

    assertThat(said).isEqualTo(new Said(0, ID + " (scheduled before)", ""));
    ScheduleTaskRequest task = node.request(ScheduleTaskRequest.class);
    assertThat(task.getHandler()).isEqualTo("mail");
    assertThat(task.getPayload()).isEqualTo(ByteString.copyFromUtf8("x"));
    assertThat(task.getPriority()).isEqualTo(7);
    assertThat(task.getKey()).isEqualTo("anna");
    assertThat(task.getCollection()).isEqualTo("spring");
    assertThat(task.getFairnessKey()).isEqualTo("acme");
    assertThat(task.getFairnessWeight()).isEqualTo(3);
    assertThat(task.getRetryPolicy().getMaxAttempts()).isEqualTo(3);
    assertThat(task.getExecutionTimeout()).isEqualTo(seconds(120));
    assertThat(task.getDelay()).isEqualTo(seconds(90));
    assertThat(task.getStartDeadline().getSeconds()).isEqualTo(3_786_912_000L);
    assertThat(task.getRejectBeyond()).isEqualTo(seconds(540));
    assertThat(task.getIdempotency())
        .isEqualTo(
            Idempotency.newBuilder()
                .setKey("once")
                .setDuration(seconds(86_400))
                .setOnConflict(Idempotency.OnConflict.ERROR)
                .build());
  }

  @Test
  void a_task_is_debounced_or_once_per_period() {
    node.answers(ScheduleTaskResponse.newBuilder().setId(ID).build());
    node.kairos(
        "task add mail --idempotency-key=k --window=while-waiting --on-conflict=replace"
            + " --max-wait=1m");
    assertThat(node.request(ScheduleTaskRequest.class).getIdempotency())
        .isEqualTo(
            Idempotency.newBuilder()
                .setKey("k")
                .setWindow(Idempotency.Window.WHILE_WAITING)
                .setOnConflict(Idempotency.OnConflict.REPLACE)
                .setMaxWait(seconds(60))
                .build());

    node.answers(ScheduleTaskResponse.newBuilder().setId(ID).build());
    node.kairos("task add mail --idempotency-key=k --window=day@Europe/Berlin");
    assertThat(node.request(ScheduleTaskRequest.class).getIdempotency().getPeriod())
        .isEqualTo(
            Idempotency.Period.newBuilder()
                .setUnit(Idempotency.Period.Unit.DAY)
                .setTimeZone("Europe/Berlin")
                .build());
    assertThat(node.kairos("task add mail --idempotency-key=k --window=day@Berlin").code())
        .isEqualTo(2);
  }

  @Test
  void what_is_not_said_is_left_to_the_node(@TempDir Path folder) throws Exception {
    node.answers(ScheduleTaskResponse.newBuilder().setId(ID).build());
    Path file = Files.write(folder.resolve("payload"), new byte[] {0, -1});

    assertThat(node.kairos("task add mail --payload-file=" + file)).isEqualTo(new Said(0, ID, ""));

    assertThat(node.request(ScheduleTaskRequest.class))
        .isEqualTo(
            ScheduleTaskRequest.newBuilder()
                .setHandler("mail")
                .setPayload(ByteString.copyFrom(new byte[] {0, -1}))
                .build());
  }

  @Test
  void a_list_is_searched_by_what_happened_to_tasks() {
    node.answers(ListTasksResponse.getDefaultInstance());

    node.kairos(
        "task list --error-class=x.Error --fingerprint=0123456789abcdef --id-prefix=019b76da"
            + " --text=shop --ended-since=1970-01-01T00:01:00Z --ended-before=1970-01-01T00:02:00Z"
            + " --min-attempts=2 --priority=7 --schedule=nightly");

    assertThat(node.request(ListTasksRequest.class))
        .isEqualTo(
            ListTasksRequest.newBuilder()
                .setPageSize(20)
                .setErrorClass("x.Error")
                .setErrorFingerprint("0123456789abcdef")
                .setIdPrefix("019b76da")
                .setText("shop")
                .setEndedNotBefore(Timestamp.newBuilder().setSeconds(60))
                .setEndedBefore(Timestamp.newBuilder().setSeconds(120))
                .setMinAttempts(2)
                .setPriority(7)
                .setSchedule("nightly")
                .build());
  }

  private static ChangeTasksResponse changed(int count, String next) {
    return ChangeTasksResponse.newBuilder()
        .setCount(count)
        .setMore(!next.isEmpty())
        .setNextAfter(next)
        .setAt(Timestamp.newBuilder().setSeconds(7))
        .build();
  }

  @Test
  void all_that_match_are_counted_and_those_are_cancelled() {
    node.answers(changed(1_000, ID), changed(5, ""), changed(1_000, ID), changed(4, ""));

    assertThat(node.kairos("task cancel --handler=mail --state=new --min-attempts=2 --yes"))
        .isEqualTo(new Said(0, "1004 cancelled", ""));

    TaskFilter filter =
        TaskFilter.newBuilder()
            .setHandler("mail")
            .addStates(Task.State.NEW)
            .setMinAttempts(2)
            .build();
    CancelTasksRequest counted = node.request(CancelTasksRequest.class);
    assertThat(counted.getDryRun()).isTrue();
    assertThat(counted.getFilter()).isEqualTo(filter);
    assertThat(node.request(CancelTasksRequest.class).getFilter().getAfter()).isEqualTo(ID);
    CancelTasksRequest cancelled = node.request(CancelTasksRequest.class);
    assertThat(cancelled.getDryRun()).isFalse();
    assertThat(cancelled.getFilter())
        .isEqualTo(
            filter.toBuilder().setAcceptedUntil(Timestamp.newBuilder().setSeconds(7)).build());
    assertThat(node.request(CancelTasksRequest.class).getFilter().getAfter()).isEqualTo(ID);
  }

  @Test
  void a_dry_run_cancels_nothing_and_does_not_ask() {
    node.answers(changed(12, ""));

    assertThat(node.kairos("task cancel --fingerprint=0123456789abcdef --dry-run"))
        .isEqualTo(new Said(0, "12 would be cancelled", ""));
    assertThat(node.request(CancelTasksRequest.class).getDryRun()).isTrue();
  }

  @Test
  void failures_are_listed_in_groups() {
    node.answers(
        ListFailureGroupsResponse.newBuilder()
            .addGroups(
                FailureGroup.newBuilder()
                    .setHandler("mail")
                    .setFingerprint("0123456789abcdef")
                    .setErrorClass("x.Error")
                    .setError("no route\nat all")
                    .setCount(1_204)
                    .setLastEndedAt(Timestamp.newBuilder().setSeconds(60)))
            .build());

    Said said = node.kairos("task failures --handler=mail --since=1970-01-01T00:00:09Z");

    assertThat(said.out().lines().toList().getLast())
        .matches("mail +1204 +1970-01-01T00:01:00Z +0123456789abcdef +x.Error +no route.*");
    ListFailureGroupsRequest asked = node.request(ListFailureGroupsRequest.class);
    assertThat(asked.getHandler()).isEqualTo("mail");
    assertThat(asked.getEndedNotBefore().getSeconds()).isEqualTo(9);
  }

  @Test
  void a_list_goes_on_page_by_page_up_to_its_limit() {
    node.answers(
        ListTasksResponse.newBuilder()
            .addTasks(task("1", Task.State.RETRIABLE_FAILURE))
            .addTasks(task("2", Task.State.DEAD))
            .setNextPageToken("next")
            .build(),
        ListTasksResponse.newBuilder()
            .addTasks(task("3", Task.State.DEAD))
            .addTasks(task("4", Task.State.DEAD))
            .setNextPageToken("more")
            .build());

    Said said = node.kairos("task list --state=dead,retriable_failure --limit=3");

    assertThat(said.code()).isZero();
    assertThat(said.out().lines())
        .hasSize(4)
        .element(1)
        .asString()
        .matches("0{8}-.*1  retriable failure +mail +1970-01-01T00:00:00Z");
    ListTasksRequest first = node.request(ListTasksRequest.class);
    assertThat(first.getPageSize()).isEqualTo(3);
    assertThat(first.getStatesList())
        .containsExactlyInAnyOrder(Task.State.DEAD, Task.State.RETRIABLE_FAILURE);
    assertThat(node.request(ListTasksRequest.class))
        .isEqualTo(first.toBuilder().setPageSize(1).setPageToken("next").build());
  }

  @Test // PD-40
  void a_list_is_asked_for_what_is_due_within_a_time() {
    node.answers(ListTasksResponse.getDefaultInstance());

    node.kairos("task list --from=1970-01-01T00:01:00Z --to=1970-01-01T00:02:00Z");

    ListTasksRequest request = node.request(ListTasksRequest.class);
    assertThat(request.getNotBefore()).isEqualTo(at(60));
    assertThat(request.getBefore()).isEqualTo(at(120));
  }

  @Test // PD-36
  void a_task_is_shown_with_the_times_outcomes_and_classes_of_its_attempts() {
    node.answers(
        task("1", Task.State.DEAD).toBuilder()
            .setAttemptStartedAt(at(60))
            .addFailures(
                Failure.newBuilder()
                    .setAttempt(2)
                    .setStartedAt(at(60))
                    .setAt(at(61))
                    .setOutcome(Task.State.DEAD)
                    .setErrorClass("java.io.IOException")
                    .setError("disk"))
            .build());

    assertThat(node.kairos("task get " + ID).out())
        .contains(
            "started   1970-01-01T00:01:00Z",
            "failed    attempt 2 from 1970-01-01T00:01:00Z to 1970-01-01T00:01:01Z, dead"
                + " (java.io.IOException): disk");
  }

  @Test
  void an_encrypted_task_shows_its_key_and_is_decrypted_with_a_file_of_keys(@TempDir Path folder)
      throws Exception {
    String line = "k1:" + Base64.getEncoder().encodeToString(new byte[32]);
    EncryptedPayloads payloads = EncryptedPayloads.with(PayloadKeys.parse(line));
    PayloadTarget mail = PayloadTarget.handler("mail");
    Task task = task("1", Task.State.DEAD);
    Task encrypted =
        task.toBuilder()
            .setPayload(ByteString.copyFrom(payloads.encrypt(mail, "Anna".getBytes(UTF_8))))
            .addFailures(
                Failure.newBuilder()
                    .setErrorClass("NoSuchMailbox")
                    .setError(payloads.encryptError(mail, task.getId(), "Anna moved")))
            .build();
    Path keys = Files.writeString(folder.resolve("keys"), line);
    Files.setPosixFilePermissions(keys, PosixFilePermissions.fromString("rw-------"));
    node.answers(encrypted, encrypted, encrypted);

    assertThat(node.kairos("task get " + ID).out())
        .contains(
            "payload   encrypted with the key k1, name ", "(NoSuchMailbox): kairos-encrypted:")
        .doesNotContain("Anna");
    assertThat(node.kairos("task get " + ID + " --payload-keys=" + keys).out())
        .contains("payload   Anna", "(NoSuchMailbox): Anna moved");

    Files.writeString(keys, "k2" + line.substring(2));
    assertThat(node.kairos("task get " + ID + " --payload-keys=" + keys).err())
        .contains("encrypted with the key k1, which this process does not have");
    Files.setPosixFilePermissions(keys, PosixFilePermissions.fromString("rw-r--r--"));
    assertThat(node.kairos("task get " + ID + " --payload-keys=" + keys).err())
        .contains("can be read or changed by others");
  }

  private static Timestamp at(long seconds) {
    return Timestamp.newBuilder().setSeconds(seconds).build();
  }

  private static Task task(String number, Task.State state) {
    return Task.newBuilder()
        .setId(new UUID(0, Long.parseLong(number)).toString())
        .setHandler("mail")
        .setState(state)
        .build();
  }

  @Test
  void the_exit_code_says_whether_a_cancel_came_in_time() {
    node.answers(
        CancelTaskResponse.newBuilder().setOutcome(CancelTaskResponse.Outcome.REQUESTED).build(),
        CancelTaskResponse.newBuilder().setOutcome(CancelTaskResponse.Outcome.TOO_LATE).build());

    assertThat(node.kairos("task cancel " + ID)).isEqualTo(new Said(0, "requested", ""));
    assertThat(node.kairos("task cancel " + ID)).isEqualTo(new Said(1, "too late", ""));
    assertThat(node.request(CancelTaskRequest.class).getId()).isEqualTo(ID);
  }

  @Test
  void what_the_node_refuses_is_one_sentence_and_exit_code_1() {
    node.refuses(Status.NOT_FOUND.withDescription("id: no such task"));

    assertThat(node.kairos("task get " + ID))
        .isEqualTo(new Said(1, "", "kairos: NOT_FOUND: id: no such task"));
  }

  @Test
  void the_token_comes_from_a_file(@TempDir Path folder) throws Exception {
    node.answers(
        CancelTaskResponse.newBuilder().setOutcome(CancelTaskResponse.Outcome.CANCELLED).build());
    Path file = Files.writeString(folder.resolve("token"), "secret\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));

    assertThat(node.kairos("task --token-file=" + file + " cancel " + ID).code()).isZero();

    assertThat(node.tokens()).containsExactly("Bearer secret");
  }

  @Test
  void a_task_waits_for_others() {
    node.answers(ScheduleTaskResponse.newBuilder().setId(ID).build());

    assertThat(node.kairos("task add mail --after=" + ID + " --on-failure=block"))
        .isEqualTo(new Said(0, ID, ""));

    assertThat(node.request(ScheduleTaskRequest.class).getAfterList())
        .containsExactly(
            Predecessor.newBuilder().setId(ID).setOnFailure(Predecessor.OnFailure.BLOCK).build());
  }

  @Test
  void a_graph_is_shown_with_what_each_task_waits_for() {
    String other = ID.replaceFirst(".$", "f");
    node.answers(
        TaskGraph.newBuilder()
            .addTasks(
                TaskGraph.Member.newBuilder()
                    .setId(ID)
                    .setHandler("load")
                    .setState(Task.State.PROCESSING))
            .addTasks(
                TaskGraph.Member.newBuilder()
                    .setId(other)
                    .setHandler("check")
                    .setState(Task.State.AWAITING))
            .addEdges(
                TaskGraph.Edge.newBuilder()
                    .setPredecessor(ID)
                    .setSuccessor(other)
                    .setOnFailure(Predecessor.OnFailure.FAIL)
                    .setOpen(true))
            .build(),
        CancelTaskGraphResponse.newBuilder().setCount(2).build(),
        CancelTaskGraphResponse.newBuilder().setCount(1_000).setMore(true).build(),
        CancelTaskGraphResponse.newBuilder().setMore(true).build());

    assertThat(node.kairos("task graph " + ID).out().lines())
        .containsExactly(
            ID + "  processing  load", other + "  awaiting  check  after " + ID + " (open)");
    assertThat(node.kairos("task cancel-graph " + ID)).isEqualTo(new Said(0, "2 cancelled", ""));
    assertThat(node.kairos("task cancel-graph " + ID))
        .isEqualTo(new Said(0, "1000 cancelled; more is left, try again", ""));
  }
}
