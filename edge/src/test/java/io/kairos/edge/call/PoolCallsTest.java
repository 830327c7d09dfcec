package io.kairos.edge.call;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.FieldMask;
import com.google.protobuf.util.Durations;
import io.kairos.api.v1.CompleteExecutionRequest;
import io.kairos.api.v1.CreatePoolRequest;
import io.kairos.api.v1.DeletePoolRequest;
import io.kairos.api.v1.FailExecutionRequest;
import io.kairos.api.v1.GetPoolRequest;
import io.kairos.api.v1.GetTaskRequest;
import io.kairos.api.v1.HeartbeatExecutionRequest;
import io.kairos.api.v1.ListPoolsRequest;
import io.kairos.api.v1.ListPoolsResponse;
import io.kairos.api.v1.Pool;
import io.kairos.api.v1.PoolServiceGrpc;
import io.kairos.api.v1.PoolServiceGrpc.PoolServiceBlockingStub;
import io.kairos.api.v1.PoolTarget;
import io.kairos.api.v1.RegisterEndpointRequest;
import io.kairos.api.v1.RotateKeyRequest;
import io.kairos.api.v1.ScheduleTaskRequest;
import io.kairos.api.v1.SnoozeExecutionRequest;
import io.kairos.api.v1.Task;
import io.kairos.api.v1.TaskServiceGrpc;
import io.kairos.api.v1.TaskServiceGrpc.TaskServiceBlockingStub;
import io.kairos.api.v1.UnreadablePool;
import io.kairos.api.v1.UnregisterEndpointRequest;
import io.kairos.api.v1.UpdatePoolRequest;
import io.kairos.domain.delay.MessageHeader;
import io.kairos.domain.pool.PushRequest;
import io.kairos.domain.task.AttemptOutcome;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.RetryPolicy;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskResult;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.queue.PoolName;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.edge.task.PoolAnswers;
import io.kairos.engine.cluster.DetailFigures;
import io.kairos.engine.cluster.DetailFigures.Endpoint;
import io.kairos.engine.cluster.DetailFigures.EndpointWork;
import io.kairos.engine.cluster.LatenessCounts;
import io.kairos.engine.pool.EndpointView;
import io.kairos.engine.task.edge.AttemptReport;
import io.kairos.engine.task.edge.HeartbeatResult;
import io.kairos.engine.task.edge.ReportResult;
import io.kairos.engine.task.edge.TaskSpec;
import io.kairos.engine.task.port.HeartbeatFinding;
import io.kairos.engine.task.port.operator.TaskView;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Pools by both doors. */
class PoolCallsTest {
  @RegisterExtension static final Edge EDGE = new Edge();
  private static final FencedTask ATTEMPT = new FencedTask(ScriptedTasks.id(1), 3);

  private final PoolServiceBlockingStub pools = PoolServiceGrpc.newBlockingStub(EDGE.channel);
  private final TaskServiceBlockingStub tasks = TaskServiceGrpc.newBlockingStub(EDGE.channel);

  private static Pool.Builder listed(String name) {
    return Pool.newBuilder()
        .setName(name)
        .setListed(Pool.EndpointList.newBuilder().addUrls("http://127.0.0.1:8080/jobs"));
  }

  private Pool create(Pool.Builder pool) {
    return pools.createPool(CreatePoolRequest.newBuilder().setPool(pool).build());
  }

  private Pool get(String name) {
    return pools.getPool(GetPoolRequest.newBuilder().setName(name).build());
  }

  @Test
  void a_new_pool_has_what_is_shipped_and_its_secret_is_shown_once() {
    Pool pool = create(listed("billing"));

    assertThat(pool.getKeys(0).getSecret()).startsWith("whsec_");
    assertThat(pool.getRouting()).isEqualTo(Pool.Routing.LEAST_LOADED);
    assertThat(pool.getRequestTimeout().getSeconds()).isEqualTo(30);
    assertThat(pool.getMaxInFlight()).isEqualTo(1_000);
    assertThat(pool.getEjection().getFailures()).isEqualTo(3);
    assertThat(EDGE.pools.changes).hasValue(1);
    EDGE.pools.endpoints.add(new EndpointView("http://127.0.0.1:8080/jobs 127.0.0.1", true, ""));
    EDGE.pools.endpoints.add(new EndpointView("http://x.example.com 10.0.0.1", false, "private"));

    Pool found = get("billing");

    assertThat(found.getKeys(0).getSecret()).isEmpty();
    assertThat(found.getListed().getUrlsList()).containsExactly("http://127.0.0.1:8080/jobs");
    assertThat(found.getEndpointStatuses(0).getEjected()).isTrue();
    assertThat(found.getEndpointStatuses(0).getExcluded()).isEmpty();
    assertThat(found.getEndpointStatuses(1).getExcluded()).isEqualTo("private");
  }

  @Test
  void an_endpoint_is_shown_with_what_all_nodes_do_with_it() {
    create(listed("billing"));
    PoolName billing = new PoolName("billing");
    EDGE.pools.endpoints.add(new EndpointView("one", false, ""));
    EDGE.pools.endpoints.add(new EndpointView("two", false, ""));
    EDGE.pools.endpoints.add(new EndpointView("three", false, ""));
    EDGE.cluster.lastMinute =
        new DetailFigures(
            Map.of(),
            Map.of(
                new Endpoint(billing, "one"),
                new EndpointWork(7, 1, 2, LatenessCounts.ofOne(Duration.ofMillis(30))),
                new Endpoint(billing, "two"),
                new EndpointWork(1, 0, 0, LatenessCounts.NONE),
                new Endpoint(new PoolName("other"), "three"),
                new EndpointWork(1, 0, 0, LatenessCounts.NONE)));

    List<Pool.EndpointStatus> found = get("billing").getEndpointStatusesList();

    Pool.EndpointWork one = found.get(0).getWork();
    assertThat(one.getInFlight()).isEqualTo(7);
    assertThat(one.getEjectingNodes()).isEqualTo(1);
    assertThat(one.getEjections()).isEqualTo(2);
    assertThat(one.getAnswers()).isEqualTo(1);
    assertThat(one.getP50()).isEqualTo(Durations.fromMillis(30));
    assertThat(one.getP99()).isEqualTo(Durations.fromMillis(30));
    assertThat(found.get(1).getWork().getInFlight()).isEqualTo(1);
    assertThat(found.get(1).getWork().hasP50()).isFalse();
    assertThat(found.get(2).hasWork()).isFalse();
    assertThat(
            pools
                .listPools(ListPoolsRequest.getDefaultInstance())
                .getPools(0)
                .getEndpointStatuses(0)
                .getWork())
        .isEqualTo(one);
  }

  @Test
  void a_name_is_given_once() {
    create(listed("billing"));

    assertThatThrownBy(() -> create(listed("billing"))).hasMessageContaining("ALREADY_EXISTS");
  }

  @Test
  void pools_are_listed_by_name_in_pages() {
    create(listed("b"));
    create(listed("a"));
    create(listed("c"));

    ListPoolsResponse first = pools.listPools(ListPoolsRequest.newBuilder().setPageSize(2).build());
    ListPoolsResponse second =
        pools.listPools(
            ListPoolsRequest.newBuilder()
                .setPageSize(2)
                .setPageToken(first.getNextPageToken())
                .build());

    assertThat(first.getPoolsList()).extracting(Pool::getName).containsExactly("a", "b");
    assertThat(second.getPoolsList()).extracting(Pool::getName).containsExactly("c");
    assertThat(second.getNextPageToken()).isEmpty();
  }

  @Test
  void pools_that_the_node_cannot_read_are_named_beside_the_others_on_their_page() {
    for (String name : List.of("a", "b", "c", "d")) {
      create(listed(name));
    }
    EDGE.pools.unreadable.addAll(List.of(new PoolName("b"), new PoolName("c")));

    ListPoolsResponse first = pools.listPools(ListPoolsRequest.newBuilder().setPageSize(2).build());
    ListPoolsResponse second =
        pools.listPools(ListPoolsRequest.newBuilder().setPageSize(2).setPageToken("b").build());

    assertThat(first.getNextPageToken()).isEqualTo("b");
    assertThat(first.getPoolsList()).extracting(Pool::getName).containsExactly("a");
    assertThat(first.getUnreadableList())
        .singleElement()
        .satisfies(one -> {
          assertThat(one.getName()).isEqualTo("b");
          assertThat(one.getReason()).contains("no routing X");
        });
    assertThat(second.getPoolsList()).extracting(Pool::getName).containsExactly("d");
    assertThat(second.getUnreadableList()).extracting(UnreadablePool::getName).containsExactly("c");
    assertThat(second.getNextPageToken()).isEmpty();
  }

  @Test
  void what_the_mask_names_is_changed_and_nothing_else() {
    create(listed("billing").setMaxInFlight(7).setHealthPath("/health"));

    Pool changed =
        pools.updatePool(
            UpdatePoolRequest.newBuilder()
                .setPool(
                    Pool.newBuilder()
                        .setName("billing")
                        .setRouting(Pool.Routing.STICKY)
                        .setMaxInFlight(9))
                .setUpdateMask(FieldMask.newBuilder().addPaths("routing").addPaths("health_path"))
                .build());

    assertThat(changed.getRouting()).isEqualTo(Pool.Routing.STICKY);
    assertThat(changed.getHealthPath()).isEmpty();
    assertThat(changed.getMaxInFlight()).isEqualTo(7);
    assertThat(changed.getListed().getUrlsCount()).isEqualTo(1);
    assertThat(changed.getKeys(0).getSecret()).isEmpty();
  }

  @Test
  void a_patch_changes_what_its_body_has_and_null_resets() throws Exception {
    create(
        listed("billing")
            .setMaxInFlight(7)
            .setHealthPath("/health")
            .setAnswersLater(true)
            .setEjection(Pool.Ejection.newBuilder().setFailures(9).setPause(seconds(5))));

    HttpResponse<String> changed =
        EDGE.patch(
            "/v1/pools/billing",
            """
            {"answersLater": false, "healthPath": null, "ejection": {"failures": 4}, "endpointStatuses": []}
            """);

    assertThat(changed.statusCode()).as(changed.body()).isEqualTo(200);
    Pool pool = get("billing");
    assertThat(pool.getAnswersLater()).isFalse();
    assertThat(pool.getHealthPath()).isEmpty();
    assertThat(pool.getEjection().getFailures()).isEqualTo(4);
    assertThat(pool.getEjection().getPause()).isEqualTo(seconds(5));
    assertThat(pool.getMaxInFlight()).isEqualTo(7);
    assertThat(pool.getListed().getUrlsList()).containsExactly("http://127.0.0.1:8080/jobs");
  }

  @Test
  void a_pool_names_credentials_until_it_does_not() throws Exception {
    create(
        Pool.newBuilder()
            .setName("billing")
            .setListed(Pool.EndpointList.newBuilder().addUrls("https://127.0.0.1:8080/jobs"))
            .setTls("partner"));
    assertThat(get("billing").getTls()).isEqualTo("partner");

    assertThat(EDGE.patch("/v1/pools/billing", "{\"maxInFlight\": 7}").statusCode()).isEqualTo(200);
    assertThat(get("billing").getTls()).isEqualTo("partner");

    assertThat(EDGE.patch("/v1/pools/billing", "{\"tls\": null}").statusCode()).isEqualTo(200);
    assertThat(get("billing").getTls()).isEmpty();
  }

  @Test
  void a_pool_that_names_credentials_takes_https_endpoints_only() throws Exception {
    create(listed("billing"));
    create(
        Pool.newBuilder()
            .setName("workers")
            .setRegistered(Pool.RegisteredEndpoints.getDefaultInstance())
            .setTls("partner"));
    RegisterEndpointRequest.Builder worker =
        RegisterEndpointRequest.newBuilder().setPool("workers");

    HttpResponse<String> refused = EDGE.patch("/v1/pools/billing", "{\"tls\": \"partner\"}");

    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.body()).contains("pool.listed.urls[0]: must be https:// in a pool with tls");
    assertThat(get("billing").getTls()).isEmpty();
    assertThatThrownBy(() -> pools.registerEndpoint(worker.setUrl("http://127.0.0.1:9000").build()))
        .hasMessageContaining("INVALID_ARGUMENT: url: must be https:// in a pool with tls");
    pools.registerEndpoint(worker.setUrl("https://127.0.0.1:9000").build());
  }

  private static com.google.protobuf.Duration seconds(long seconds) {
    return com.google.protobuf.Duration.newBuilder().setSeconds(seconds).build();
  }

  @Test
  void what_is_shown_can_be_sent_back() throws Exception {
    create(listed("billing").setMaxInFlight(7));
    String shown = EDGE.get("/v1/pools/billing").body();

    HttpResponse<String> again = EDGE.patch("/v1/pools/billing", shown.replace(":7,", ":8,"));

    assertThat(again.statusCode()).as(again.body()).isEqualTo(200);
    assertThat(get("billing").getMaxInFlight()).isEqualTo(8);
    HttpResponse<String> other = EDGE.patch("/v1/pools/other", shown);
    assertThat(other.statusCode()).isEqualTo(400);
    assertThat(other.body()).contains("pool.name: must be left out of the body, or be equal");
    assertThat(EDGE.patch("/v1/pools/billing", "{}").body()).contains("must name a field");
  }

  @Test
  void a_pool_that_is_not_there_is_named_with_the_nearest_one() throws Exception {
    create(listed("billing"));

    assertThatThrownBy(() -> get("biling"))
        .hasMessageContaining("NOT_FOUND")
        .hasMessageContaining("did you mean billing?");
    assertThat(EDGE.delete("/v1/pools/biling").statusCode()).isEqualTo(404);
    assertThatThrownBy(() -> schedule(PoolTarget.newBuilder().setName("biling")))
        .hasMessageContaining("NOT_FOUND: pool.name: there is no pool biling; did you mean");
    assertThat(EDGE.tasks.scheduled).isEmpty();
  }

  @Test
  void a_deleted_pool_is_gone() {
    create(listed("billing"));

    pools.deletePool(DeletePoolRequest.newBuilder().setName("billing").build());

    assertThatThrownBy(() -> get("billing")).hasMessageContaining("NOT_FOUND");
  }

  @Test
  void workers_register_with_pools_of_their_kind_only() {
    create(listed("billing"));
    create(
        Pool.newBuilder()
            .setName("workers")
            .setRegistered(Pool.RegisteredEndpoints.getDefaultInstance()));
    RegisterEndpointRequest here =
        RegisterEndpointRequest.newBuilder()
            .setPool("workers")
            .setUrl("http://127.0.0.1:9000")
            .build();

    pools.registerEndpoint(here);
    int changes = EDGE.pools.changes.get();
    pools.registerEndpoint(here);

    assertThat(EDGE.pools.changes).as("a lease that goes on is no change").hasValue(changes);
    PoolName workers = new PoolName("workers");
    assertThat(EDGE.pools.pools().find(workers).orElseThrow().registered()).hasSize(1);
    pools.unregisterEndpoint(
        UnregisterEndpointRequest.newBuilder()
            .setPool("workers")
            .setUrl("http://127.0.0.1:9000")
            .build());
    assertThat(EDGE.pools.pools().find(workers).orElseThrow().registered()).isEmpty();
    assertThatThrownBy(() -> pools.registerEndpoint(here.toBuilder().setPool("billing").build()))
        .hasMessageContaining("FAILED_PRECONDITION");
    assertThatThrownBy(
            () -> pools.registerEndpoint(here.toBuilder().setUrl("http://10.0.0.1").build()))
        .hasMessageContaining("INVALID_ARGUMENT: url: must be where nodes may push to");
  }

  @Test
  void a_rotated_key_shows_the_new_secret_and_until_when_the_former_one_signs() {
    String first = create(listed("billing")).getKeys(0).getSecret();

    Pool rotated = pools.rotateKey(RotateKeyRequest.newBuilder().setName("billing").build());

    assertThat(rotated.getKeysList()).hasSize(2);
    assertThat(rotated.getKeys(0).getSecret()).startsWith("whsec_").isNotEqualTo(first);
    assertThat(rotated.getKeys(1).getSecret()).isEqualTo(first);
    assertThat(rotated.getKeys(1).getRetiresAt().getSeconds())
        .isEqualTo(Edge.NOW.plus(Duration.ofHours(24)).getEpochSecond());
  }

  private void schedule(PoolTarget.Builder target) {
    tasks.scheduleTask(
        ScheduleTaskRequest.newBuilder()
            .setPool(target)
            .setPayload(ByteString.copyFromUtf8("order 7"))
            .build());
  }

  @Test
  void a_task_for_a_pool_is_one_of_its_handler_with_the_whole_request_as_payload() {
    create(listed("billing"));
    schedule(
        PoolTarget.newBuilder()
            .setName("billing")
            .setMethod("PUT")
            .setPath("/orders/7?x=1")
            .setRoutingKey("customer 7")
            .addHeaders(PoolTarget.Header.newBuilder().setName("x-shop").setValue("eu")));
    EDGE.pools.known.add(new PoolName("known"));
    schedule(PoolTarget.newBuilder().setName("known"));

    assertThat(EDGE.tasks.scheduled)
        .extracting(spec -> spec.queue().handler().wireName())
        .containsExactly("pool:billing", "pool:known");
    TaskSpec spec = EDGE.tasks.scheduled.getFirst();
    PushRequest request = PushRequest.decode(spec.details().payload());
    assertThat(request.method()).isEqualTo("PUT");
    assertThat(request.path()).isEqualTo("/orders/7?x=1");
    assertThat(request.headers())
        .extracting(MessageHeader::name)
        .containsExactly("x-shop", "routing-key");
    assertThat(request.routingKey()).isEqualTo("customer 7");
    assertThat(request.body()).isEqualTo("order 7".getBytes(UTF_8));
  }

  @Test
  void a_task_of_a_pool_is_shown_with_its_target_and_its_body() {
    PushRequest request =
        new PushRequest(
            "PUT",
            "/x",
            List.of(
                new MessageHeader("routing-key", "customer 7".getBytes(UTF_8)),
                new MessageHeader("a", "b".getBytes(UTF_8))),
            "order 7".getBytes(UTF_8));
    TaskView view =
        new TaskView(
            ScriptedTasks.id(1),
            new QueueName(new PoolName("billing"), 50),
            TaskDetails.of(request.encode()).withRetryPolicy(RetryPolicy.DEFAULT),
            Edge.NOW,
            Edge.NOW,
            new TaskView.Progress(
                TaskState.NEW, 0, Edge.NOW, null, null, false, null, List.of(), TaskResult.NONE));
    EDGE.tasks.known.put(view.id(), view);

    Task task = tasks.getTask(GetTaskRequest.newBuilder().setId(view.id().toString()).build());

    assertThat(task.getHandler()).isEqualTo("pool:billing");
    assertThat(task.getPool().getName()).isEqualTo("billing");
    assertThat(task.getPool().getMethod()).isEqualTo("PUT");
    assertThat(task.getPool().getPath()).isEqualTo("/x");
    assertThat(task.getPool().getHeaders(0).getValue()).isEqualTo("b");
    assertThat(task.getPool().getRoutingKey()).isEqualTo("customer 7");
    assertThat(task.getPayload().toStringUtf8()).isEqualTo("order 7");
  }

  @Test
  void a_routing_key_that_callers_could_not_give_is_shown_as_the_headers_that_it_is() {
    String longest = "k".repeat(256);
    assertThat(shown("Routing-Key", longest).getRoutingKey()).isEqualTo(longest);
    assertThat(shown("Routing-Key", longest).getHeadersList()).isEmpty();

    for (String[] kept :
        List.of(
            new String[] {"routing-key", ""},
            new String[] {"routing-key", longest + "k"},
            new String[] {"routing-key", "a", "Routing-Key", "b"})) {
      PoolTarget shown = shown(kept);
      assertThat(shown.getRoutingKey()).isEmpty();
      assertThat(
              shown.getHeadersList().stream()
                  .flatMap(one -> Stream.of(one.getName(), one.getValue())))
          .containsExactly(kept);
    }
  }

  private static PoolTarget shown(String... namesAndValues) {
    List<MessageHeader> headers = new ArrayList<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      headers.add(new MessageHeader(namesAndValues[i], namesAndValues[i + 1].getBytes(UTF_8)));
    }
    return PoolAnswers.target("p", new PushRequest("PUT", "/x", headers, new byte[0]));
  }

  @Test
  void what_goes_on_is_ended_by_its_token() {
    String token = EDGE.pools.tokens().of(ATTEMPT);

    pools.completeExecution(
        CompleteExecutionRequest.newBuilder().setToken(token).setResult("well").build());
    pools.failExecution(FailExecutionRequest.newBuilder().setToken(token).setError("no").build());
    pools.failExecution(
        FailExecutionRequest.newBuilder()
            .setToken(token)
            .setError("no")
            .setErrorClass("E")
            .setFatal(true)
            .build());
    pools.failExecution(
        FailExecutionRequest.newBuilder()
            .setToken(token)
            .setRetryAfter(com.google.protobuf.Duration.newBuilder().setSeconds(7))
            .build());
    pools.snoozeExecution(
        SnoozeExecutionRequest.newBuilder()
            .setToken(token)
            .setDelay(com.google.protobuf.Duration.newBuilder().setSeconds(8))
            .build());

    assertThat(EDGE.tasks.reports)
        .containsExactly(
            new AttemptReport(ATTEMPT, new AttemptOutcome.Succeeded("well")),
            new AttemptReport(ATTEMPT, new AttemptOutcome.RetryLater("no")),
            new AttemptReport(ATTEMPT, new AttemptOutcome.Failed("no", "E")),
            new AttemptReport(ATTEMPT, new AttemptOutcome.RetryAfter("", Duration.ofSeconds(7))),
            new AttemptReport(ATTEMPT, new AttemptOutcome.Snoozed(Duration.ofSeconds(8))));
  }

  @Test
  void what_goes_on_is_kept_by_its_token_and_told_when_it_shall_be_cancelled() {
    HeartbeatExecutionRequest heartbeat =
        HeartbeatExecutionRequest.newBuilder()
            .setToken(EDGE.pools.tokens().of(ATTEMPT))
            .setLease(com.google.protobuf.Duration.newBuilder().setSeconds(600))
            .build();

    assertThat(pools.heartbeatExecution(heartbeat).getCancelRequested()).isFalse();
    assertThat(EDGE.tasks.leases).containsExactly(Duration.ofMinutes(10));
    EDGE.tasks.beats = List.of(new HeartbeatResult(HeartbeatFinding.CANCEL_REQUESTED, null));
    assertThat(pools.heartbeatExecution(heartbeat).getCancelRequested()).isTrue();
    EDGE.tasks.beats = List.of(new HeartbeatResult(HeartbeatFinding.LOST, null));
    assertThatThrownBy(() -> pools.heartbeatExecution(heartbeat))
        .hasMessageContaining("FAILED_PRECONDITION: token: is of an attempt that has ended");
  }

  @Test
  void an_old_token_and_one_of_somebody_else_are_refused() {
    EDGE.tasks.reportResults = List.of(new ReportResult.NotHeld());

    assertThatThrownBy(() ->
            pools.completeExecution(
                CompleteExecutionRequest.newBuilder()
                    .setToken(EDGE.pools.tokens().of(ATTEMPT))
                    .build()))
        .hasMessageContaining("FAILED_PRECONDITION");
    assertThatThrownBy(() ->
            pools.completeExecution(
                CompleteExecutionRequest.newBuilder().setToken("guessed").build()))
        .hasMessageContaining("INVALID_ARGUMENT: token: must be that of a request");
  }
}
