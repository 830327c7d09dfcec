package io.kairos.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.api.v1.Failure;
import io.kairos.api.v1.ListTasksRequest;
import io.kairos.api.v1.ListTasksResponse;
import io.kairos.api.v1.RedriveRequest;
import io.kairos.api.v1.RedriveResponse;
import io.kairos.api.v1.Task;
import io.kairos.cli.ScriptedNode.Said;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@code kairos dlq}: which words become which request, and what is printed. */
final class DlqCommandTest {
  private static final String ID = new UUID(0, 7).toString();

  private final ScriptedNode node = new ScriptedNode();

  @AfterEach
  void stop() {
    node.close();
  }

  private static Task dead() {
    return Task.newBuilder()
        .setId(ID)
        .setHandler("mail")
        .setState(Task.State.DEAD)
        .setAttempt(2)
        .addFailures(Failure.newBuilder().setAttempt(1).setError("first"))
        .addFailures(Failure.newBuilder().setAttempt(2).setError("no route\nat line 7"))
        .build();
  }

  @Test
  void what_has_failed_for_good_is_listed_with_its_last_error() {
    node.answers(ListTasksResponse.newBuilder().addTasks(dead()).build());

    Said said = node.kairos("dlq list --handler=mail");

    assertThat(said.out().lines())
        .map(line -> line.replaceAll(" +", " "))
        .containsExactly(
            "ID STATE HANDLER FINISHED ATTEMPTS ERROR", ID + " dead mail - 2 no route");
    ListTasksRequest request = node.request(ListTasksRequest.class);
    assertThat(request.getHandler()).isEqualTo("mail");
    assertThat(request.getStatesList())
        .containsExactlyInAnyOrder(Task.State.DEAD, Task.State.FAILED);
  }

  @Test
  void one_is_shown_with_all_its_failures() {
    node.answers(dead());

    assertThat(node.kairos("dlq show " + ID).out())
        .contains("attempt 1 at", "first", "attempt 2 at", "at line 7");
  }

  @Test
  void daf3_they_are_put_back_as_by_handler_redrive() {
    node.answers(RedriveResponse.newBuilder().addIds(ID).build());

    assertThat(node.kairos("dlq redrive --handler=mail --state=dead"))
        .isEqualTo(new Said(0, "1 put back", ""));
    assertThat(node.request(RedriveRequest.class).getFilter())
        .isEqualTo(
            RedriveRequest.Filter.newBuilder()
                .setHandler("mail")
                .addStates(Task.State.DEAD)
                .build());
  }
}
