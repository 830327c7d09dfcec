package io.kairos.server.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.kairos.api.v1.BatchScheduleTasksRequest;
import io.kairos.api.v1.CancelTaskRequest;
import io.kairos.api.v1.CancelTaskResponse;
import io.kairos.api.v1.GetTaskRequest;
import io.kairos.api.v1.HeartbeatRequest;
import io.kairos.api.v1.HeartbeatResponse.Verdict;
import io.kairos.api.v1.ListTasksRequest;
import io.kairos.api.v1.NextWorkRequest;
import io.kairos.api.v1.Result;
import io.kairos.api.v1.ScheduleTaskRequest;
import io.kairos.api.v1.ScheduleTaskResponse;
import io.kairos.api.v1.SetResultRequest;
import io.kairos.api.v1.SetResultResponse;
import io.kairos.api.v1.Task;
import io.kairos.api.v1.TaskServiceGrpc;
import io.kairos.api.v1.TaskServiceGrpc.TaskServiceBlockingStub;
import io.kairos.api.v1.Work;
import io.kairos.api.v1.WorkerServiceGrpc;
import io.kairos.api.v1.WorkerServiceGrpc.WorkerServiceBlockingStub;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A whole node on real Postgres, seen by an application and a worker over gRPC. */
class TasksEndToEndTest {
  @AutoClose
  private static final RunningNode node =
      Configured.started("tasks.lease=1m"); // no heartbeats here

  @AutoClose("shutdownNow")
  private static final ManagedChannel channel =
      NettyChannelBuilder.forAddress("127.0.0.1", node.places().httpPort()).usePlaintext().build();

  private static final TaskServiceBlockingStub tasks = TaskServiceGrpc.newBlockingStub(channel);
  private static final WorkerServiceBlockingStub worker =
      WorkerServiceGrpc.newBlockingStub(channel);

  private static List<Work> next(String handler, int most) {
    return worker
        .nextWork(
            NextWorkRequest.newBuilder()
                .setWorker("w")
                .addHandlers(handler)
                .setMaxTasks(most)
                .build())
        .getWorkList();
  }

  private static SetResultResponse.Answer report(Result.Builder result) {
    return worker
        .setResult(SetResultRequest.newBuilder().setWorker("w").addResults(result).build())
        .getAnswers(0);
  }

  private static Result.Builder success(Work work) {
    return Result.newBuilder()
        .setId(work.getId())
        .setFence(work.getFence())
        .setSuccess(Result.Success.getDefaultInstance());
  }

  @Test // DA-5
  void da02_a_task_is_scheduled_performed_once_and_remembered() {
    String id =
        tasks
            .scheduleTask(
                ScheduleTaskRequest.newBuilder()
                    .setHandler("greet")
                    .setPayload(ByteString.copyFromUtf8("work"))
                    .build())
            .getId();

    Work work = next("greet", 10).getFirst();
    Verdict verdict =
        worker
            .heartbeat(
                HeartbeatRequest.newBuilder()
                    .setWorker("w")
                    .addHeld(HeartbeatRequest.Held.newBuilder().setId(id).setFence(work.getFence()))
                    .build())
            .getAnswers(0)
            .getVerdict();
    SetResultResponse.Answer first = report(success(work));
    SetResultResponse.Answer second = report(success(work));

    assertThat(work.getId()).isEqualTo(id);
    assertThat(work.getPayload().toStringUtf8()).isEqualTo("work");
    assertThat(work.getAttempt()).isEqualTo(1);
    assertThat(verdict).isEqualTo(Verdict.EXTENDED);
    assertThat(first.getAccepted()).isTrue();
    assertThat(second.getAccepted()).isFalse();
    assertThat(second.getReason()).contains("nobody holds the task now");
    Task task = tasks.getTask(GetTaskRequest.newBuilder().setId(id).build());
    assertThat(task.getState()).isEqualTo(Task.State.SUCCEEDED);
    assertThat(task.hasFinishedAt()).isTrue();
  }

  @Test
  void da19_a_failed_attempt_comes_again_with_a_higher_fence_and_the_old_one_is_refused() {
    tasks.scheduleTask(ScheduleTaskRequest.newBuilder().setHandler("flaky").build());
    Work first = next("flaky", 1).getFirst();
    report(
        Result.newBuilder()
            .setId(first.getId())
            .setFence(first.getFence())
            .setRetryLater(
                Result.RetryLater.newBuilder()
                    .setError("not now")
                    .setDelay(Duration.getDefaultInstance())));

    Work second = next("flaky", 1).getFirst();

    assertThat(second.getId()).isEqualTo(first.getId());
    assertThat(second.getAttempt()).isEqualTo(2);
    assertThat(second.getFence()).isGreaterThan(first.getFence());
    SetResultResponse.Answer stale = report(success(first));
    assertThat(stale.getAccepted()).isFalse();
    assertThat(stale.getReason()).contains("w holds the task now, with fence " + second.getFence());
    assertThat(report(success(second)).getAccepted()).isTrue();
  }

  @Test
  void a_batch_is_performed_and_listed_page_by_page() {
    BatchScheduleTasksRequest.Builder batch = BatchScheduleTasksRequest.newBuilder();
    for (int i = 0; i < 250; i++) {
      batch.addTasks(ScheduleTaskRequest.newBuilder().setHandler("many"));
    }
    List<String> ids =
        tasks.batchScheduleTasks(batch.build()).getTasksList().stream()
            .map(ScheduleTaskResponse::getId)
            .toList();

    List<Work> performed = new ArrayList<>();
    while (performed.size() < ids.size()) {
      performed.addAll(next("many", 100));
    }
    SetResultRequest.Builder results = SetResultRequest.newBuilder().setWorker("w");
    performed.forEach(work -> results.addResults(success(work)));
    assertThat(worker.setResult(results.build()).getAnswersList())
        .hasSize(250)
        .allMatch(SetResultResponse.Answer::getAccepted);

    List<String> listed = new ArrayList<>();
    ListTasksRequest.Builder request =
        ListTasksRequest.newBuilder()
            .setHandler("many")
            .addStates(Task.State.SUCCEEDED)
            .setPageSize(100);
    do {
      var page = tasks.listTasks(request.build());
      page.getTasksList().forEach(task -> listed.add(task.getId()));
      request.setPageToken(page.getNextPageToken());
    } while (!request.getPageToken().isEmpty());
    assertThat(listed).containsExactlyInAnyOrderElementsOf(ids);
  }

  @Test
  void a_task_that_waits_is_cancelled_for_good() {
    String id =
        tasks
            .scheduleTask(
                ScheduleTaskRequest.newBuilder()
                    .setHandler("later")
                    .setDelay(Duration.newBuilder().setSeconds(3_600))
                    .build())
            .getId();

    CancelTaskRequest request = CancelTaskRequest.newBuilder().setId(id).build();

    assertThat(tasks.cancelTask(request).getOutcome())
        .isEqualTo(CancelTaskResponse.Outcome.CANCELLED);
    assertThat(tasks.cancelTask(request).getOutcome())
        .isEqualTo(CancelTaskResponse.Outcome.TOO_LATE);
    assertThat(tasks.getTask(GetTaskRequest.newBuilder().setId(id).build()).getState())
        .isEqualTo(Task.State.CANCELLED);
  }
}
