package io.kairos.edge.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.kairos.api.v1.ScheduleTaskRequest;
import io.kairos.api.v1.TaskServiceGrpc;
import io.kairos.api.v1.Topic;
import io.kairos.engine.task.port.operator.CancelResult;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Calls about topics, at a node without a broker. */
class NoBrokerTest {
  @RegisterExtension static final Edge EDGE = new Edge();

  @BeforeEach
  void noBrokerAndNoTasks() {
    EDGE.hasBroker = false;
    EDGE.tasks.cancelResult = CancelResult.UNKNOWN;
    EDGE.tasks.movable = false;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /v1/tasks | {"topic": {"name": "orders"}} | topic.name
          /v1/tasks:batch | {"tasks": [{"topic": {"name": "orders"}}]} | tasks
          /v1/schedules | {"name": "x", "every": "60s", "target": {"topic": {"name": "orders"}}} | schedule.target.topic.name
          /v1/tasks/ID:cancel | {} | id
          /v1/tasks/ID:reschedule | {"delay": "1s"} | id
          """)
  void a_topic_is_refused_with_its_field_and_what_to_do(String path, String body, String field)
      throws Exception {
    HttpResponse<String> answer =
        EDGE.post(path.replace("ID", ScriptedMessages.id(0).toString()), body);

    JsonNode problem = new ObjectMapper().readTree(answer.body());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(501);
    assertThat(problem.at("/field").asText()).isEqualTo(field);
    assertThat(problem.at("/detail").asText())
        .startsWith(field + ": ")
        .contains("no broker", "kafka.bootstrap-servers");
    assertThat(EDGE.messages.posted).isEmpty();
    assertThat(EDGE.messages.amendments).isEmpty();
  }

  @Test
  void by_grpc_as_well() {
    ScheduleTaskRequest request =
        ScheduleTaskRequest.newBuilder().setTopic(Topic.newBuilder().setName("orders")).build();

    StatusRuntimeException refusal =
        catchThrowableOfType(
            StatusRuntimeException.class,
            () -> TaskServiceGrpc.newBlockingStub(EDGE.channel).scheduleTask(request));

    assertThat(refusal.getStatus().getCode()).isEqualTo(Status.Code.UNIMPLEMENTED);
    assertThat(refusal).hasMessageContaining("topic.name: ");
  }

  @Test
  void an_unknown_task_is_unknown_and_a_schedule_of_tasks_is_taken() throws Exception {
    assertThat(EDGE.get("/v1/tasks/" + ScriptedMessages.id(0)).statusCode()).isEqualTo(404);
    assertThat(EDGE.post("/v1/tasks/" + ScriptedTasks.id(1) + ":cancel", "{}").statusCode())
        .isEqualTo(404);
    assertThat(
            EDGE.post(
                    "/v1/schedules",
                    """
                    {"name": "x", "every": "60s", "target": {"handler": "h"}}
                    """)
                .statusCode())
        .isEqualTo(200);
  }
}
