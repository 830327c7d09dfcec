package io.kairos.edge.call;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kairos.api.v1.ScheduleTaskRequest;
import io.kairos.api.v1.TaskServiceGrpc;
import io.kairos.api.v1.TaskServiceGrpc.TaskServiceBlockingStub;
import io.kairos.domain.task.RetryPolicy;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskResult;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.engine.task.edge.TaskSpec;
import io.kairos.engine.task.port.operator.TaskView;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A payload as bytes, as text and as JSON. */
class PayloadFormsTest {
  @RegisterExtension static final Edge EDGE = new Edge();
  private static final ObjectMapper JSON = new ObjectMapper();

  private final TaskServiceBlockingStub grpc = TaskServiceGrpc.newBlockingStub(EDGE.channel);

  private static List<String> scheduled() {
    return EDGE.tasks.scheduled.stream()
        .map(TaskSpec::details)
        .map(details -> new String(details.payload(), UTF_8))
        .toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          "text": "grüß dich"                          | grüß dich
          "payload": "aGk="                            | hi
          "json": {"a" : [1, 1.50, null, "x", true]}   | {"a":[1,1.50,null,"x",true]}
          "json": 12345678901234567890.123456789012345 | 12345678901234567890.123456789012345
          "json": "word"                               | "word"
          "json": {}                                   | {}
          "text": "hi", "payload": "aGk="              | hi
          "text": "[1]", "json": [ 1 ], "payload": "WzFd" | [1]
          """)
  void a_request_has_a_payload_in_one_form_or_in_equal_ones(String members, String payload)
      throws Exception {
    HttpResponse<String> answer = EDGE.post("/v1/tasks", "{\"handler\": \"h\", " + members + "}");

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(scheduled()).containsExactly(payload);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          "text": "a", "payload": "aGk=" | text | differs from payload: give one of them
          "json": 1, "payload": "aGk="   | json | differs from payload: give one of them
          "text": "a", "json": 2         | json | differs from text: give one of them
          "text": "[1] 2", "json": [1]   | json | differs from text: give one of them
          "text": "[1", "json": [1]      | json | differs from text: give one of them
          "text": "{\\"a\\":1,\\"b\\":2}", "json": {"b":2,"a":1} | json | differs from text: give one of them
          "json": {"a": 1, "a": 2}       | body | must be JSON
          """)
  void forms_that_differ_are_refused(String members, String field, String rule) throws Exception {
    HttpResponse<String> answer = EDGE.post("/v1/tasks", "{\"handler\": \"h\", " + members + "}");

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(JSON.readTree(answer.body()).at("/field").asText()).isEqualTo(field);
    assertThat(JSON.readTree(answer.body()).at("/detail").asText()).contains(rule);
    assertThat(scheduled()).isEmpty();
  }

  @Test
  void forms_that_differ_in_white_space_are_equal_as_read_and_sent_back() {
    grpc.scheduleTask(
        ScheduleTaskRequest.newBuilder()
            .setHandler("h")
            .setText("[1.50, {} ]\n")
            .setJson("[1.50,{}]")
            .build());

    assertThat(scheduled()).containsExactly("[1.50, {} ]\n");
  }

  /** The forms of one that is too large would need many times their size to be compared. */
  @Test
  void a_payload_that_is_too_large_is_refused_before_its_forms_are_compared() {
    String large = "[" + "{},".repeat(Edge.MAX_PAYLOAD / 3) + "{}]";
    assertThatThrownBy(() ->
            grpc.scheduleTask(
                ScheduleTaskRequest.newBuilder()
                    .setHandler("h")
                    .setText(large)
                    .setJson(large.replace("]", ",1]"))
                    .build()))
        .hasMessageContaining("payload: must be at most");
  }

  @Test
  void by_grpc_json_is_a_text() {
    grpc.scheduleTask(
        ScheduleTaskRequest.newBuilder().setHandler("h").setJson("{\"a\": 1}").build());
    grpc.scheduleTask(ScheduleTaskRequest.newBuilder().setHandler("h").setText("").build());

    assertThat(scheduled()).containsExactly("{\"a\": 1}", "");
    assertThatThrownBy(() ->
            grpc.scheduleTask(
                ScheduleTaskRequest.newBuilder().setHandler("h").setJson("{a").build()))
        .hasMessageContaining("INVALID_ARGUMENT: json: must be the text of a JSON value");
  }

  @Test
  void a_batch_and_a_pool_take_them_too() throws Exception {
    EDGE.post(
        "/v1/tasks:batch",
        "{\"tasks\": [{\"handler\": \"h\", \"text\": \"a\"}, {\"handler\": \"h\", \"json\": 1}]}");

    assertThat(scheduled()).containsExactly("a", "1");
  }

  private static JsonNode shown(byte[] payload) throws Exception {
    TaskView view =
        new TaskView(
            ScriptedTasks.id(1),
            new QueueName(new HandlerName("h"), 50),
            TaskDetails.of(payload).withRetryPolicy(RetryPolicy.DEFAULT),
            Edge.NOW,
            Edge.NOW,
            new TaskView.Progress(
                TaskState.NEW, 0, Edge.NOW, null, null, false, null, List.of(), TaskResult.NONE));
    EDGE.tasks.known.put(view.id(), view);
    return JSON.readTree(EDGE.get("/v1/tasks/" + view.id()).body());
  }

  @Test
  void an_answer_has_text_that_is_json_in_all_forms() throws Exception {
    JsonNode task = shown("{\"a\": 1.50}\n".getBytes(UTF_8));

    assertThat(task.at("/payload").asText()).isEqualTo("eyJhIjogMS41MH0K");
    assertThat(task.at("/text").asText()).isEqualTo("{\"a\": 1.50}\n");
    assertThat(task.at("/json/a").asDouble()).isEqualTo(1.5);
  }

  @Test
  void an_answer_has_only_the_forms_that_the_payload_has() throws Exception {
    JsonNode words = shown("hi there".getBytes(UTF_8));
    assertThat(words.at("/text").asText()).isEqualTo("hi there");
    assertThat(words.has("json")).isFalse();

    for (byte[] payload : new byte[][] {{}, {(byte) 0xff}, {0, 1, 2}}) {
      JsonNode bytes = shown(payload);
      assertThat(bytes.has("payload")).isTrue();
      assertThat(bytes.has("text") || bytes.has("json")).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"order-7", "\"order-7\""})
  void the_header_idempotency_key_is_that_of_the_task_for_a_day(String header) throws Exception {
    EDGE.send(
        EDGE.json("POST", "/v1/tasks", "{\"handler\": \"h\"}").header("idempotency-key", header));
    EDGE.send(
        EDGE.json(
                "POST",
                "/v1/tasks",
                "{\"handler\": \"h\", \"idempotency\": {\"window\": \"FOREVER\"}}")
            .header("Idempotency-Key", header));

    assertThat(EDGE.tasks.scheduled)
        .extracting(spec -> String.valueOf(spec.idempotency()))
        .allMatch(idempotency -> idempotency.contains("key=order-7"))
        .satisfiesExactly(
            day -> assertThat(day).contains("PT24H"),
            forever -> assertThat(forever).contains("Forever"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\"\"", " "})
  void an_empty_key_is_refused_because_the_call_would_count_twice(String header) throws Exception {
    EDGE.post(
        "/v1/schedules", "{\"name\": \"s\", \"every\": \"60s\", \"target\": {\"handler\": \"h\"}}");

    for (String path : List.of("/v1/tasks", "/v1/schedules/s:trigger")) {
      String body = path.equals("/v1/tasks") ? "{\"handler\": \"h\"}" : "{}";
      HttpResponse<String> refused =
          EDGE.send(EDGE.json("POST", path, body).header("idempotency-key", header));

      assertThat(refused.statusCode()).as(path).isEqualTo(400);
      assertThat(refused.body()).contains("idempotency-key: must have at least one character");
    }
    assertThat(scheduled()).isEmpty();
  }

  @Test
  void a_call_that_is_idempotent_by_itself_ignores_the_key() throws Exception {
    EDGE.post(
        "/v1/schedules", "{\"name\": \"s\", \"every\": \"60s\", \"target\": {\"handler\": \"h\"}}");

    for (String verb : List.of("pause", "resume")) {
      assertThat(
              EDGE.send(
                      EDGE.json("POST", "/v1/schedules/s:" + verb, "{}")
                          .header("idempotency-key", "k"))
                  .statusCode())
          .as(verb)
          .isEqualTo(200);
    }
  }

  @Test
  void a_key_that_differs_or_that_no_method_takes_is_refused() throws Exception {
    HttpResponse<String> differs =
        EDGE.send(
            EDGE.json(
                    "POST", "/v1/tasks", "{\"handler\": \"h\", \"idempotency\": {\"key\": \"a\"}}")
                .header("idempotency-key", "b"));
    HttpResponse<String> useless =
        EDGE.send(EDGE.json("POST", "/v1/tasks:batch", "{}").header("idempotency-key", "b"));
    HttpResponse<String> harmless =
        EDGE.send(EDGE.json("GET", "/v1/tasks", "").header("idempotency-key", "b"));

    assertThat(differs.body()).contains("idempotency-key: must be equal to the key in the body");
    assertThat(useless.statusCode()).isEqualTo(400);
    assertThat(useless.body()).contains("cannot make this call idempotent");
    assertThat(harmless.statusCode()).isEqualTo(200);
    assertThat(EDGE.tasks.scheduled).isEmpty();
  }
}
