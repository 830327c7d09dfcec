package io.kairos.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import com.google.protobuf.Timestamp;
import io.kairos.api.v1.Batch;
import io.kairos.api.v1.CancelBatchRequest;
import io.kairos.api.v1.CancelBatchResponse;
import io.kairos.api.v1.CreateBatchRequest;
import io.kairos.api.v1.CreateBatchResponse;
import io.kairos.api.v1.ListBatchesRequest;
import io.kairos.api.v1.ListBatchesResponse;
import io.kairos.api.v1.ListTasksResponse;
import io.kairos.api.v1.Predecessor;
import io.kairos.api.v1.ScheduleTaskRequest;
import io.kairos.api.v1.ScheduleTaskResponse;
import io.kairos.api.v1.Task;
import io.kairos.cli.ScriptedNode.Said;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@code kairos batch}, and the options of {@code kairos task} about batches. */
final class BatchCommandTest {
  private static final String ID = "019b76da-a800-7000-8000-00000000000b";
  private static final String TASK = "019b76da-a800-7000-8000-000000000004";

  private final ScriptedNode node = new ScriptedNode();

  @AfterEach
  void stop() {
    node.close();
  }

  private static Batch.Builder batch() {
    return Batch.newBuilder()
        .setId(ID)
        .setHandler("resize")
        .setName("import-42")
        .setCreatedAt(Timestamp.newBuilder().setSeconds(1_767_225_600))
        .setPercent(75)
        .setCounts(
            Batch.Counts.newBuilder()
                .setTotal(4)
                .setUnfinished(1)
                .setSucceeded(1)
                .setFailed(1)
                .setDead(1));
  }

  @Test
  void a_batch_is_created_and_its_id_printed() {
    node.answers(CreateBatchResponse.newBuilder().setBatch(batch()).build());

    assertThat(node.kairos("batch create resize --name import-42")).isEqualTo(new Said(0, ID, ""));
    assertThat(node.request(CreateBatchRequest.class))
        .isEqualTo(
            CreateBatchRequest.newBuilder().setHandler("resize").setName("import-42").build());
  }

  @Test
  void a_batch_is_shown_and_listed_with_its_counts() {
    Batch closed = batch().setClosedAt(Timestamp.newBuilder().setSeconds(1_767_225_601)).build();
    node.answers(
        batch().build(),
        closed,
        ListBatchesResponse.newBuilder()
            .addBatches(batch())
            .addBatches(batch().setState(Task.State.FAILED))
            .build());

    assertThat(node.kairos("batch show " + ID).out())
        .contains("import-42", "state       open", "done        75 %", "unfinished  1")
        .contains("dead        1", "cancelled   0");
    assertThat(node.kairos("batch close " + ID).out()).contains("state       closed");
    assertThat(node.kairos("batch list --handler resize --limit 2").out())
        .contains("resize", "open", "failed", "75 %");
    node.request(Message.class);
    node.request(Message.class);
    assertThat(node.request(ListBatchesRequest.class).getHandler()).isEqualTo("resize");
  }

  @Test
  void a_cancel_asks_again_until_nothing_is_left() {
    node.answers(
        batch().build(),
        CancelBatchResponse.newBuilder().setCount(3).setMore(true).setNextBefore(TASK).build(),
        CancelBatchResponse.newBuilder().setCount(1).build());

    assertThat(node.kairos("batch cancel --yes " + ID)).isEqualTo(new Said(0, "4 cancelled", ""));
    node.request(Message.class);
    assertThat(node.request(CancelBatchRequest.class).getBefore()).isEmpty();
    assertThat(node.request(CancelBatchRequest.class).getBefore()).isEqualTo(TASK);
  }

  @Test
  void a_cancel_that_nobody_has_confirmed_is_wrong_usage() {
    node.answers(batch().build());

    assertThat(node.kairos("batch cancel " + ID).code()).isEqualTo(2);
  }

  @Test
  void a_task_joins_a_batch_and_waits_for_one() {
    node.answers(
        ScheduleTaskResponse.newBuilder().setId(TASK).build(),
        ListTasksResponse.newBuilder()
            .addTasks(Task.newBuilder().setId(TASK).setHandler("resize").setState(Task.State.NEW))
            .build());

    node.kairos("task add resize --batch %s --after-batch %s --on-failure BLOCK".formatted(ID, ID));
    ScheduleTaskRequest request = node.request(ScheduleTaskRequest.class);
    assertThat(request.getBatch()).isEqualTo(ID);
    assertThat(request.getAfterList())
        .containsExactly(
            Predecessor.newBuilder()
                .setBatch(ID)
                .setOnFailure(Predecessor.OnFailure.BLOCK)
                .build());
    assertThat(node.kairos("task list --batch " + ID).out()).contains(TASK);
  }
}
