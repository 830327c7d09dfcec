package io.kairos.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.kairos.api.v1.AwaitTaskRequest;
import io.kairos.api.v1.AwaitTaskResponse;
import io.kairos.api.v1.Failure;
import io.kairos.api.v1.Schedule;
import io.kairos.api.v1.ScheduleTaskRequest;
import io.kairos.client.error.InvalidRequestException;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.task.PayloadFormatException;
import io.kairos.client.task.Predecessor;
import io.kairos.client.task.RetryPolicy;
import io.kairos.client.task.TaskId;
import io.kairos.client.task.TaskResult;
import io.kairos.client.task.TaskState;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TaskTypeTest {
  private static final TaskId ID = TaskId.of("01890000-0000-7000-8000-000000000001");
  private static final PayloadCodec<Integer> NUMBER =
      PayloadCodec.of(
          number -> PayloadCodec.utf8().encode(number.toString()),
          bytes -> Integer.valueOf(PayloadCodec.utf8().decode(bytes)));
  private static final TaskType<Integer> SQUARE =
      TaskType.of("square", NUMBER)
          .defaults(task -> task.priority(70).retryPolicy(RetryPolicy.attempts(3)))
          .defaults((task, number) -> task.key("key " + number));
  private static final ResultTaskType<Integer, Integer> SQUARED = SQUARE.returning(NUMBER);

  private final ScriptedTasks node = new ScriptedTasks();
  private final KairosClient client =
      KairosClient.builder("node")
          .transport(address -> InProcessChannelBuilder.forName(node.name()))
          .build();

  @AfterEach
  void close() {
    client.close();
    node.close();
  }

  @Test
  void a_task_has_the_name_the_payload_and_the_defaults_of_its_type() {
    ScheduleTaskRequest task = SQUARED.task(7).build().wire();

    assertThat(task.getHandler()).isEqualTo("square");
    assertThat(task.getPayload().toStringUtf8()).isEqualTo("7");
    assertThat(task.getPriority()).isEqualTo(70);
    assertThat(task.getRetryPolicy().getMaxAttempts()).isEqualTo(3);
    assertThat(task.getKey()).isEqualTo("key 7");
  }

  @Test
  void one_task_may_override_the_defaults_which_stay_for_others() {
    assertThat(SQUARE.task(7).priority(1).key("other").build().wire())
        .satisfies(task -> assertThat(task.getPriority()).isEqualTo(1))
        .satisfies(task -> assertThat(task.getKey()).isEqualTo("other"));
    assertThat(SQUARE.task(8).build().wire().getPriority()).isEqualTo(70);
  }

  @Test
  void a_payload_that_cannot_be_written_is_refused_where_the_task_is_made() {
    TaskType<String> refusing =
        TaskType.of(
            "refusing",
            PayloadCodec.of(
                text -> {
                  throw new PayloadFormatException("no String", "some.Writer");
                },
                bytes -> ""));

    assertThatThrownBy(() -> refusing.task("x"))
        .isInstanceOf(PayloadFormatException.class)
        .hasMessage("no String");
  }

  @Test
  @SuppressWarnings("NullAway") // as callers do that are not checked
  void null_is_no_payload() {
    assertThatThrownBy(() -> SQUARE.task(null))
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("null is no payload");
  }

  @Test
  void an_empty_condition_is_refused_rather_than_met_by_all() {
    List<ThrowingCallable> conditions =
        List.of(
            () -> TaskFilter.none().handler(""),
            () -> TaskFilter.none().errorClass(""),
            () -> TaskQuery.all().schedule(""),
            () -> FailureQuery.all().handler(""));

    assertThat(conditions)
        .allSatisfy(condition ->
            assertThatThrownBy(condition)
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("must not be empty"));
  }

  @Test
  void what_a_codec_has_written_is_not_copied_on_its_way_out() {
    byte[] written = {1};
    PayloadCodec<String> codec = PayloadCodec.of(text -> written, bytes -> "");
    ScheduleTaskRequest task = TaskType.of("any", codec).task("x").build().wire();
    TaskResult result = TaskResult.of(codec, "x");

    written[0] = 2;

    assertThat(task.getPayload().byteAt(0)).isEqualTo((byte) 2);
    assertThat(result.buffer().get(0)).isEqualTo((byte) 2);
    assertThat(result.buffer().isReadOnly()).isTrue();
  }

  @Test
  void a_schedule_makes_tasks_of_a_type() {
    Schedule schedule =
        ScheduleSpec.named("squares")
            .every(Duration.ofHours(1))
            .task(SQUARE.task(7).build())
            .build()
            .wire();

    assertThat(schedule.getTarget().getHandler()).isEqualTo("square");
    assertThat(schedule.getTarget().getPayload().toStringUtf8()).isEqualTo("7");
    assertThat(schedule.getTarget().getPriority()).isEqualTo(70);
    assertThat(schedule.getPolicies().getRetryPolicy().getMaxAttempts()).isEqualTo(3);
  }

  @Test
  void the_value_of_a_task_is_awaited() {
    node.answers(ended("square", "49"), ended("square", ""));

    assertThat(client.await(SQUARED, ID, Duration.ofSeconds(1))).contains(49);
    assertThat(node.request(AwaitTaskRequest.class).getId()).isEqualTo(ID.toString());
    assertThat(client.await(SQUARED, ID, Duration.ofSeconds(1))).isEmpty();
  }

  @Test
  void a_task_without_success_is_an_exception_with_its_outcome_and_error() {
    node.answers(
        answer(
            task("square", io.kairos.api.v1.Task.State.FAILED)
                .addFailures(Failure.newBuilder().setAttempt(1).setError("no number"))),
        answer(task("square", io.kairos.api.v1.Task.State.CANCELLED)),
        AwaitTaskResponse.getDefaultInstance());

    TaskNotSucceededException failed = unsuccessful();
    assertThat(failed).hasMessage("task " + ID + " has failed: no number");
    assertThat(failed.outcome()).isInstanceOf(TaskOutcome.Failed.class);
    assertThat(unsuccessful()).hasMessage("task " + ID + " was cancelled");
    assertThat(unsuccessful()).hasMessage("task " + ID + " has not ended yet");
  }

  private TaskNotSucceededException unsuccessful() {
    return catchThrowableOfType(
        TaskNotSucceededException.class, () -> client.await(SQUARED, ID, Duration.ZERO));
  }

  @Test
  void a_task_of_another_handler_has_no_value_of_this_type() {
    node.answers(ended("cube", "343"));

    assertThatThrownBy(() -> client.await(SQUARED, ID, Duration.ofSeconds(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cube")
        .hasMessageContaining("square");
  }

  @Test
  void the_values_of_predecessors_are_those_of_the_type() {
    List<Predecessor> before =
        List.of(
            predecessor("square", TaskResult.of(NUMBER, 49)),
            predecessor("cube", TaskResult.of(NUMBER, 343)),
            new Predecessor(ID, "square", TaskState.SUCCEEDED, false, null, 0));

    assertThat(SQUARED.results(before)).containsExactly(49);
    assertThatThrownBy(() ->
            SQUARED.results(
                List.of(new Predecessor(ID, "square", TaskState.SUCCEEDED, false, null, 9))))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("predecessors(context)");
  }

  private static Predecessor predecessor(String handler, TaskResult result) {
    return new Predecessor(ID, handler, TaskState.SUCCEEDED, false, () -> result, result.bytes());
  }

  private static AwaitTaskResponse ended(String handler, String value) {
    io.kairos.api.v1.Task.Builder task = task(handler, io.kairos.api.v1.Task.State.SUCCEEDED);
    if (!value.isEmpty()) {
      task.getResultValueBuilder().setValue(ByteString.copyFromUtf8(value));
    }
    return answer(task);
  }

  private static AwaitTaskResponse answer(io.kairos.api.v1.Task.Builder task) {
    return AwaitTaskResponse.newBuilder().setTask(task).build();
  }

  private static io.kairos.api.v1.Task.Builder task(
      String handler, io.kairos.api.v1.Task.State state) {
    return io.kairos.api.v1.Task.newBuilder()
        .setId(ID.toString())
        .setHandler(handler)
        .setState(state);
  }
}
