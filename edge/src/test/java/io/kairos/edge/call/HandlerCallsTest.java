package io.kairos.edge.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kairos.api.v1.EndPauseRequest;
import io.kairos.api.v1.GetHandlerRequest;
import io.kairos.api.v1.Handler;
import io.kairos.api.v1.HandlerServiceGrpc;
import io.kairos.api.v1.HandlerServiceGrpc.HandlerServiceBlockingStub;
import io.kairos.api.v1.ListHandlersRequest;
import io.kairos.api.v1.ListHandlersResponse;
import io.kairos.api.v1.Queue;
import io.kairos.api.v1.RedriveRequest;
import io.kairos.api.v1.RedriveResponse;
import io.kairos.api.v1.RetryHeadRequest;
import io.kairos.api.v1.SkipHeadRequest;
import io.kairos.api.v1.UpdateHandlerRequest;
import io.kairos.api.v1.UpdateQueueRequest;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.OrderingKeyId;
import io.kairos.domain.task.OrderingKeyPolicy;
import io.kairos.domain.task.OrderingKeyPolicy.OnDead;
import io.kairos.domain.task.OrderingKeyPolicy.Ordered;
import io.kairos.domain.task.OrderingKeyPolicy.Parallel;
import io.kairos.domain.task.OrderingKeyPolicy.Rate;
import io.kairos.domain.task.RetryPolicy;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.queue.CollectionName;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.domain.task.queue.TaskQueueLimit;
import io.kairos.engine.cluster.DetailFigures;
import io.kairos.engine.task.port.operator.BlockedKey;
import io.kairos.engine.task.port.operator.FailureGroup;
import io.kairos.engine.task.port.operator.HandlerCounts;
import io.kairos.engine.task.port.operator.KeyQuery;
import io.kairos.engine.task.port.operator.QueueUse;
import io.kairos.engine.task.port.operator.StoredHandlerSettings;
import io.kairos.engine.task.port.operator.TaskPause;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Operators' calls, by both doors. */
class HandlerCallsTest {
  @RegisterExtension static final Edge EDGE = new Edge();
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final TaskHandler SEVEN = new HandlerName("7");

  private final HandlerServiceBlockingStub grpc = HandlerServiceGrpc.newBlockingStub(EDGE.channel);

  @Test
  void a_handler_is_shown_with_its_numbers_limits_pauses_and_whether_somebody_works_for_it() {
    EDGE.tasks.queues.limits.put(
        new QueueName(SEVEN, 50), new QueueUse(new TaskQueueLimit(9, 2.5, null), 3));
    EDGE.tasks.queues.setPause(new TaskPause(SEVEN, null, TaskPause.Mode.PAUSE, null, "deploy"));

    Handler handler = grpc.getHandler(GetHandlerRequest.newBuilder().setName("7").build());

    assertThat(handler.getWaiting()).isEqualTo(1);
    assertThat(handler.getEnqueued()).isEqualTo(2);
    assertThat(handler.getProcessing()).isEqualTo(3);
    assertThat(handler.getBlocked()).isEqualTo(4);
    assertThat(handler.getPaused()).isEqualTo(5);
    assertThat(handler.getDead()).isEqualTo(6);
    assertThat(handler.getFailed()).isEqualTo(7);
    assertThat(handler.getHasWorker()).isTrue();
    Queue queue = handler.getQueues(0);
    assertThat(queue.getMaxRunning()).isEqualTo(9);
    assertThat(queue.getPerSecond()).isEqualTo(2.5);
    assertThat(queue.hasBurst()).isFalse();
    assertThat(queue.getRunning()).isEqualTo(3);
    assertThat(handler.getPauses(0).getNote()).isEqualTo("deploy");
    assertThat(handler.getPauses(0).hasUntil()).isFalse();
  }

  @Test
  void a_handler_is_shown_with_the_age_of_its_oldest_due_task_and_the_rates_of_all_nodes()
      throws Exception {
    EDGE.cluster.lastMinute =
        new DetailFigures(Map.of(SEVEN, new DetailFigures.Attempts(120, 90, 3)), Map.of());

    JsonNode handlers = JSON.readTree(EDGE.get("/v1/handlers").body()).path("handlers");
    Handler handler = grpc.getHandler(GetHandlerRequest.newBuilder().setName("7").build());

    assertThat(handler.getOldestDue().getSeconds()).isEqualTo(90);
    assertThat(handler.getRates())
        .isEqualTo(Handler.Rates.newBuilder().setBegun(2).setEnded(1.5).setFailed(0.05).build());
    assertThat(handlers.path(0).path("oldestDue").asText()).isEqualTo("90s");
    assertThat(handlers.path(0).at("/rates/begun").asDouble()).isEqualTo(2);
    assertThat(handlers.path(1).has("oldestDue")).isFalse();
    assertThat(handlers.path(1).at("/rates/begun").asDouble()).isZero();
  }

  @Test
  void an_unknown_handler_is_not_found() throws Exception {
    assertThatThrownBy(
            () -> grpc.getHandler(GetHandlerRequest.newBuilder().setName("unknown").build()))
        .hasMessageContaining("NOT_FOUND");
    assertThat(EDGE.get("/v1/handlers/unknown").statusCode()).isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(strings = {"mail:send", "mail%3Asend", "mail%2Fsend", "mail%2Feu%3Asend", "a.b_c-d"})
  void every_name_that_a_handler_may_have_can_be_asked_for(String inPath) throws Exception {
    assertThat(EDGE.get("/v1/handlers/" + inPath).body())
        .contains("name: no task was ever scheduled for this handler");
  }

  @Test
  void handlers_come_in_pages_and_one_without_a_worker_says_so() throws Exception {
    ListHandlersResponse first =
        grpc.listHandlers(ListHandlersRequest.newBuilder().setPageSize(1).build());
    JsonNode second =
        JSON.readTree(
            EDGE.get("/v1/handlers?pageSize=1&pageToken=" + first.getNextPageToken()).body());

    assertThat(first.getHandlers(0).getName()).isEqualTo("7");
    assertThat(second.path("handlers").path(0).path("name").asText()).isEqualTo("a");
    assertThat(second.path("handlers").path(0).path("hasWorker").asBoolean()).isFalse();
    assertThat(second.path("nextPageToken").asText()).isEmpty();
  }

  @Test
  void a_list_says_how_far_it_has_counted_and_names_alone_are_not_counted() throws Exception {
    JsonNode counted = JSON.readTree(EDGE.get("/v1/handlers?counting=SHORT").body());
    HttpResponse<String> names = EDGE.get("/v1/handlers?counting=NONE");
    EDGE.get("/v1/handlers");

    assertThat(counted.path("handlers").path(0).path("countedTo").asInt()).isEqualTo(100_000);
    assertThat(counted.path("handlers").path(1).path("countedTo").asInt()).isEqualTo(2_500);
    assertThat(counted.path("handlers").path(1).path("failedAtLeast").asBoolean()).isTrue();
    assertThat(JSON.readTree(names.body()).findValuesAsText("name")).containsExactly("7", "a");
    assertThat(JSON.readTree(names.body()).findValuesAsText("waiting")).containsOnly("0");
    assertThat(EDGE.tasks.queues.countings)
        .containsExactly(
            HandlerCounts.Counting.SHORT, HandlerCounts.Counting.NONE, HandlerCounts.Counting.FULL);
    assertThat(EDGE.get("/v1/handlers?counting=SOME").statusCode()).isEqualTo(400);
  }

  @Test
  void limits_that_a_mask_names_are_changed_and_the_others_stay() throws Exception {
    QueueName queue = new QueueName(SEVEN, 60);
    EDGE.tasks.queues.limits.put(queue, new QueueUse(new TaskQueueLimit(9, 2.5, 5), 3));

    HttpResponse<String> changed =
        EDGE.patch("/v1/handlers/7/queues/60", "{\"maxRunning\": 4, \"burst\": null}");

    assertThat(changed.statusCode()).isEqualTo(200);
    assertThat(EDGE.tasks.queues.limits)
        .containsEntry(queue, new QueueUse(new TaskQueueLimit(4, 2.5, null), 3));
    assertThat(JSON.readTree(changed.body()).path("maxRunning").asInt()).isEqualTo(4);
  }

  @Test
  void without_a_mask_those_limits_are_changed_that_are_given() {
    QueueName queue = new QueueName(SEVEN, QueueName.DEFAULT);
    EDGE.tasks.queues.limits.put(queue, new QueueUse(new TaskQueueLimit(9, 2.5, 5), 3));

    grpc.updateQueue(
        UpdateQueueRequest.newBuilder()
            .setQueue(Queue.newBuilder().setHandler("7").setPerSecond(10))
            .build());

    assertThat(EDGE.tasks.queues.limits)
        .containsEntry(queue, new QueueUse(new TaskQueueLimit(9, 10.0, 5), 3));
  }

  @Test
  void limits_without_sense_are_refused() throws Exception {
    String queue = "/v1/handlers/7/queues/50";
    assertThat(EDGE.patch(queue, "{}").body()).contains("update_mask");
    assertThat(EDGE.patch(queue, "{\"maxRunning\": -1}").body()).contains("queue.max_running");
    assertThat(EDGE.patch(queue, "{\"perSecond\": 0}").body()).contains("queue.per_second");
    assertThat(EDGE.patch(queue, "{\"burst\": 3}").body()).contains("needs per_second");
    assertThat(EDGE.patch(queue + "?updateMask=other", "{}").body())
        .contains("must be of max_running, per_second and burst");
    assertThat(EDGE.tasks.queues.made).as("what is refused makes no queue").isEmpty();
  }

  @Test
  void settings_of_a_handler_that_a_mask_names_are_changed_and_the_others_stay() throws Exception {
    RetryPolicy before = new RetryPolicy(7, Duration.ofSeconds(1), 3, Duration.ofSeconds(9));
    OrderingKeyPolicy keys = new OrderingKeyPolicy(new Ordered(OnDead.BLOCK), new Rate(2, 5));
    EDGE.tasks.queues.settings.put(SEVEN, new StoredHandlerSettings(before, 10L, keys));

    HttpResponse<String> changed =
        EDGE.patch(
            "/v1/handlers/7",
            """
            {"retryPolicy": {"maxAttempts": 5, "maxBackoff": null}, "maxUnfinished": null, "keyPolicy": {"perSecond": 4}}
            """);

    assertThat(changed.statusCode()).isEqualTo(200);
    assertThat(EDGE.tasks.queues.settings)
        .containsEntry(
            SEVEN,
            new StoredHandlerSettings(
                new RetryPolicy(5, Duration.ofSeconds(1), 3, Duration.ofSeconds(120)),
                null,
                new OrderingKeyPolicy(new Ordered(OnDead.BLOCK), new Rate(4, 5))));
    JsonNode answer = JSON.readTree(changed.body());
    assertThat(answer.path("retryPolicy").path("maxAttempts").asInt()).isEqualTo(5);
    assertThat(answer.path("keyPolicy").path("onDead").asText()).isEqualTo("BLOCK");
    assertThat(answer.path("waiting").asInt()).isEqualTo(1);
  }

  @Test
  void without_a_mask_those_settings_are_changed_that_are_given() {
    grpc.updateHandler(
        UpdateHandlerRequest.newBuilder()
            .setHandler(
                Handler.newBuilder()
                    .setName("7")
                    .setMaxUnfinished(0)
                    .setKeyPolicy(io.kairos.api.v1.KeyPolicy.newBuilder().setMaxRunning(3)))
            .build());

    assertThat(EDGE.tasks.queues.settings)
        .containsEntry(
            SEVEN,
            new StoredHandlerSettings(
                RetryPolicy.DEFAULT, 0L, new OrderingKeyPolicy(new Parallel(3), null)));
    Handler shown = grpc.getHandler(GetHandlerRequest.newBuilder().setName("7").build());
    assertThat(shown.hasMaxUnfinished()).isTrue();
    assertThat(shown.getKeyPolicy().getMaxRunning()).isEqualTo(3);
    assertThat(shown.getRetryPolicy().getMaxAttempts()).isEqualTo(101);
  }

  @Test
  void a_whole_policy_that_is_named_and_not_given_is_the_shipped_one() throws Exception {
    EDGE.tasks.queues.settings.put(
        SEVEN,
        new StoredHandlerSettings(
            new RetryPolicy(7, Duration.ZERO, 1, Duration.ZERO),
            10L,
            new OrderingKeyPolicy(new Parallel(2), new Rate(1, 1))));

    EDGE.patch("/v1/handlers/7?updateMask=retryPolicy,keyPolicy", "{}");

    assertThat(EDGE.tasks.queues.settings)
        .containsEntry(
            SEVEN, new StoredHandlerSettings(RetryPolicy.DEFAULT, 10L, OrderingKeyPolicy.DEFAULT));
  }

  @Test
  void settings_without_sense_are_refused() throws Exception {
    assertThat(refused("{\"name\": \"7\"}")).contains("update_mask");
    assertThat(refused("{\"name\": \"8\", \"maxUnfinished\": 1}")).contains("handler.name");
    assertThat(refused("{\"name\": \"7\", \"maxUnfinished\": -1}"))
        .contains("handler.max_unfinished");
    assertThat(refused("{\"name\": \"7\", \"retryPolicy\": {\"factor\": 0.5}}"))
        .contains("handler.retry_policy")
        .contains("factor must be 1 to 100");
    assertThat(refused("{\"name\": \"7\", \"keyPolicy\": {\"burst\": 3}}"))
        .contains("needs per_second");
    assertThat(refused("{\"name\": \"7\", \"keyPolicy\": {\"maxRunning\": 0}}"))
        .contains("handler.key_policy.max_running");
    assertThat(
            refused("{\"name\": \"7\", \"keyPolicy\": {\"maxRunning\": 2, \"onDead\": \"BLOCK\"}}"))
        .contains("must not be BLOCK");
    assertThat(EDGE.patch("/v1/handlers/7?updateMask=waiting", "{}").body())
        .contains("must be of retry_policy, max_unfinished, key_policy");
    assertThat(EDGE.tasks.queues.settings).isEmpty();
  }

  private static String refused(String handler) throws Exception {
    HttpResponse<String> answer = EDGE.patch("/v1/handlers/7", handler);
    assertThat(answer.statusCode()).isEqualTo(400);
    return answer.body();
  }

  private static BlockedKey stuck(long number, String key, BlockedKey.Reason reason) {
    return new BlockedKey(
        new OrderingKeyId(number),
        SEVEN,
        new OrderingKey(key),
        reason,
        ScriptedTasks.id(1),
        4,
        "no route");
  }

  @Test
  void stuck_keys_come_in_pages_with_their_reason() throws Exception {
    EDGE.tasks.queues.keys.add(stuck(8, "anna", BlockedKey.Reason.HEAD_FAILED));
    EDGE.tasks.queues.keys.add(stuck(3, "bert", BlockedKey.Reason.HEAD_IS_RETRIED));

    JsonNode page = JSON.readTree(EDGE.get("/v1/handlers/7/stuckKeys?pageSize=1").body());
    String token = page.path("nextPageToken").asText();
    EDGE.get("/v1/stuckKeys?handler=7&pageSize=1&pageToken=" + token);

    JsonNode key = page.path("stuckKeys").path(0);
    assertThat(page.path("stuckKeys")).hasSize(1);
    assertThat(key.path("key").asText()).isEqualTo("anna");
    assertThat(key.path("reason").asText()).isEqualTo("HEAD_FAILED");
    assertThat(key.path("error").asText()).isEqualTo("no route");
    assertThat(key.path("waiting").asInt()).isEqualTo(4);
    assertThat(EDGE.tasks.queues.keyQueries)
        .containsExactly(
            new KeyQuery(SEVEN, null, 2),
            new KeyQuery(
                SEVEN,
                new KeyQuery.PageStart(BlockedKey.Reason.HEAD_FAILED, new OrderingKeyId(8)),
                2));
  }

  @Test
  void heads_are_skipped_and_tried_again() throws Exception {
    EDGE.tasks.queues.keys.add(stuck(8, "anna", BlockedKey.Reason.HEAD_FAILED));
    HttpResponse<String> skipped = EDGE.post("/v1/handlers/7/keys:skip", "{\"key\": \"anna\"}");

    assertThat(skipped.statusCode()).as(skipped.body()).isEqualTo(200);
    grpc.retryHead(RetryHeadRequest.newBuilder().setHandler("7").setKey("anna").build());

    assertThat(EDGE.tasks.queues.heads).containsExactly("skip 7 anna", "retry 7 anna");
    assertThatThrownBy(() ->
            grpc.skipHead(SkipHeadRequest.newBuilder().setHandler("7").setKey("none").build()))
        .hasMessageContaining("NOT_FOUND");
    assertThatThrownBy(() ->
            grpc.retryHead(RetryHeadRequest.newBuilder().setHandler("7").setKey("busy").build()))
        .hasMessageContaining("FAILED_PRECONDITION");
  }

  @Test
  void a_head_is_left_as_it_is_when_another_was_meant() throws Exception {
    EDGE.tasks.queues.keys.add(stuck(8, "anna", BlockedKey.Reason.HEAD_FAILED));
    String other = "{\"key\": \"anna\", \"head\": \"%s\"}".formatted(new UUID(7, 7));

    HttpResponse<String> refused = EDGE.post("/v1/handlers/7/keys:skip", other);

    assertThat(refused.body()).contains("FAILED_PRECONDITION", "another head");
    assertThat(EDGE.post("/v1/handlers/7/keys:retry", other).statusCode())
        .isEqualTo(refused.statusCode());
    assertThat(EDGE.tasks.queues.heads).isEmpty();
    assertThatThrownBy(() ->
            grpc.skipHead(
                SkipHeadRequest.newBuilder().setHandler("7").setKey("anna").setHead("x").build()))
        .hasMessageContaining("INVALID_ARGUMENT: head");
  }

  @Test // DA-L1
  void da4_a_pause_is_set_and_ended() throws Exception {
    HttpResponse<String> closed =
        EDGE.put(
            "/v1/handlers/7/pauses/spring",
            """
            {"mode": "DROP", "until": "2030-01-01T01:00:00Z", "note": "too many"}
            """);

    assertThat(closed.statusCode()).isEqualTo(200);
    assertThat(EDGE.tasks.queues.pauses)
        .extracting(TaskPause.Active::pause)
        .containsExactly(
            new TaskPause(
                SEVEN,
                new CollectionName("spring"),
                TaskPause.Mode.DROP,
                Instant.parse("2030-01-01T01:00:00Z"),
                "too many"));
    assertThat(JSON.readTree(EDGE.get("/v1/pauses").body()).path("pauses").path(0).path("since"))
        .isNotNull();
    assertThatThrownBy(() -> grpc.endPause(EndPauseRequest.newBuilder().setHandler("7").build()))
        .hasMessageContaining("NOT_FOUND");
    grpc.endPause(EndPauseRequest.newBuilder().setHandler("7").setCollection("spring").build());
    assertThat(EDGE.tasks.queues.pauses).isEmpty();
  }

  @Test
  void a_pause_has_one_url() throws Exception {
    EDGE.put("/v1/handlers/7/pauses/spring", "{\"note\": \"deploy\"}");

    HttpResponse<String> set =
        EDGE.put("/v1/handlers/7/pause", "{\"collection\": \"spring\", \"mode\": \"DROP\"}");
    HttpResponse<String> ended = EDGE.delete("/v1/handlers/7/pause?collection=spring");
    HttpResponse<String> asked = EDGE.get("/v1/handlers/7/pause?collection=spring");

    for (HttpResponse<String> refused : List.of(set, ended, asked)) {
      assertThat(refused.statusCode()).isEqualTo(400);
      assertThat(refused.body())
          .contains(
              "collection: must be in the path", "/v1/handlers/{handler}/pauses/{collection}");
    }
    assertThat(JSON.readTree(EDGE.get("/v1/handlers/7/pauses/spring").body()).at("/note").asText())
        .isEqualTo("deploy");
    assertThat(EDGE.get("/v1/handlers/7/pause").statusCode()).isEqualTo(404);
    EDGE.put("/v1/handlers/7/pause", "{}");
    assertThat(JSON.readTree(EDGE.get("/v1/handlers/7/pause").body()).at("/mode").asText())
        .isEqualTo("PAUSE");
  }

  @Test
  void a_handler_has_its_queues_and_pauses_as_parts() throws Exception {
    assertThat(EDGE.put("/v1/handlers/pool:b/pause", "{\"note\": \"deploy\"}").statusCode())
        .isEqualTo(200);
    EDGE.put("/v1/handlers/7/pauses/spring", "{}");
    EDGE.patch("/v1/handlers/7/queues/7", "{\"maxRunning\": 3}");

    assertThat(JSON.readTree(EDGE.get("/v1/handlers/7/queues/7").body()).at("/maxRunning").asInt())
        .isEqualTo(3);
    assertThat(JSON.readTree(EDGE.get("/v1/handlers/7/queues/8").body()).has("maxRunning"))
        .isFalse();
    JsonNode handler = JSON.readTree(EDGE.get("/v1/handlers/7").body());
    assertThat(handler.at("/queues/0/priority").asInt()).isEqualTo(7);
    assertThat(handler.at("/pauses/0/collection").asText()).isEqualTo("spring");
    assertThat(JSON.readTree(EDGE.get("/v1/handlers/7/pauses").body()).at("/pauses")).hasSize(1);
    assertThat(JSON.readTree(EDGE.get("/v1/pauses").body()).at("/pauses")).hasSize(2);
    JsonNode first = JSON.readTree(EDGE.get("/v1/pauses?pageSize=1").body());
    String token = first.at("/nextPageToken").asText().replace(" ", "%20");
    JsonNode second = JSON.readTree(EDGE.get("/v1/pauses?pageSize=1&pageToken=" + token).body());
    assertThat(first.at("/pauses/0/collection").asText()).isEqualTo("spring");
    assertThat(second.at("/pauses/0/handler").asText()).isEqualTo("pool:b");
    assertThat(second.at("/nextPageToken").asText()).isEmpty();
    assertThat(EDGE.delete("/v1/handlers/7/pause").statusCode()).isEqualTo(404);
    assertThat(EDGE.delete("/v1/handlers/7/pauses/spring").statusCode()).isEqualTo(200);
    assertThat(EDGE.delete("/v1/handlers/pool%3Ab/pause").statusCode()).isEqualTo(200);
    assertThat(EDGE.tasks.queues.pauses).isEmpty();
  }

  @Test
  void daf3_failed_tasks_are_put_back_by_a_filter_at_a_rate() throws Exception {
    HttpResponse<String> answer =
        EDGE.post(
            "/v1/tasks:redrive",
            """
            {"filter": {"handler": "7", "states": ["DEAD"], "endedBefore": "2030-01-01T00:00:00Z", "error": "no route"},
             "limit": 1, "perSecond": 4, "start": "2030-01-01T00:00:01Z"}
            """);

    assertThat(JSON.readTree(answer.body()).path("more").asBoolean()).isTrue();
    assertThat(JSON.readTree(answer.body()).path("nextAfter").asText())
        .isEqualTo(ScriptedTasks.id(1).toString());
    assertThat(EDGE.tasks.queues.redriven)
        .containsExactly(
            new io.kairos.engine.task.port.operator.RedriveRequest(
                new io.kairos.engine.task.port.operator.RedriveRequest.Filter(
                    SEVEN,
                    Set.of(TaskState.DEAD),
                    Instant.parse("2030-01-01T00:00:00Z"),
                    "no route",
                    null),
                1_893_456_001_000_000L,
                Duration.ofMillis(250),
                1));
  }

  @Test
  void failed_tasks_are_counted_and_put_back_by_what_they_failed_with() throws Exception {
    HttpResponse<String> answer =
        EDGE.post(
            "/v1/tasks:redrive",
            """
            {"filter": {"endedNotBefore": "2030-01-01T00:00:00Z", "errorFingerprint": "0123456789abcdef",
             "errorClass": "x.Error", "collection": "spring"}, "dryRun": true}
            """);

    JsonNode counted = JSON.readTree(answer.body());
    assertThat(counted.path("count").asInt()).isEqualTo(1);
    assertThat(counted.path("ids")).isEmpty();
    assertThat(counted.path("at").asText()).isEqualTo(Edge.NOW.toString());
    assertThat(EDGE.tasks.queues.redriven)
        .containsExactly(
            new io.kairos.engine.task.port.operator.RedriveRequest(
                new io.kairos.engine.task.port.operator.RedriveRequest.Filter(
                    null,
                    io.kairos.engine.task.port.operator.RedriveRequest.REDRIVABLE,
                    null,
                    "",
                    null,
                    Instant.parse("2030-01-01T00:00:00Z"),
                    "0123456789abcdef",
                    "x.Error",
                    new CollectionName("spring")),
                null,
                Duration.ZERO,
                100_000,
                true));
  }

  @Test
  void failures_are_listed_in_groups() throws Exception {
    JsonNode answer =
        JSON.readTree(
            EDGE.get("/v1/failureGroups?handler=7&endedNotBefore=2030-01-01T00:00:00Z").body());

    JsonNode group = answer.path("groups").path(0);
    assertThat(group.path("handler").asText()).isEqualTo("7");
    assertThat(group.path("fingerprint").asText()).isEqualTo("0123456789abcdef");
    assertThat(group.path("error").asText()).isEqualTo("no luck");
    assertThat(group.path("count").asInt()).isEqualTo(9);
    assertThat(group.path("lastEndedAt").asText()).isEqualTo(Edge.NOW.toString());
    assertThat(group.path("samples").path(0).asText()).isEqualTo(ScriptedTasks.id(1).toString());
    assertThat(group.path("byHour").path(1).asInt()).isEqualTo(5);
    assertThat(answer.path("incomplete").asBoolean()).isFalse();
    assertThat(EDGE.tasks.queues.failureQueries)
        .containsExactly(new FailureGroup.Query(SEVEN, 1_893_456_000_000_000L, 200));
  }

  @Test
  void daf3_failed_tasks_are_put_back_by_their_ids() {
    RedriveResponse answer =
        grpc.redrive(RedriveRequest.newBuilder().addIds(ScriptedTasks.id(1).toString()).build());

    assertThat(answer.getIdsList()).containsExactly(ScriptedTasks.id(1).toString());
    assertThat(answer.getMore()).isFalse();
  }
}
