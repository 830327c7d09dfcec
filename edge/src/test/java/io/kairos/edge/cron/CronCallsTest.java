package io.kairos.edge.cron;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import com.google.protobuf.util.JsonFormat;
import com.google.protobuf.util.Timestamps;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import io.grpc.CallOptions;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.ClientCalls;
import io.kairos.api.v1.CallModuleRequest;
import io.kairos.api.v1.CallModuleResponse;
import io.kairos.api.v1.CronEntry;
import io.kairos.api.v1.CronFire;
import io.kairos.api.v1.CronServiceGrpc;
import io.kairos.api.v1.CronServiceGrpc.CronServiceBlockingStub;
import io.kairos.api.v1.CronTable;
import io.kairos.api.v1.GetCronEntryRequest;
import io.kairos.api.v1.GetReplicaRequest;
import io.kairos.api.v1.GetTrailRequest;
import io.kairos.api.v1.GetTrailResponse;
import io.kairos.api.v1.ListCronEntriesRequest;
import io.kairos.api.v1.ListCronEntriesResponse;
import io.kairos.api.v1.ListCronFiresRequest;
import io.kairos.api.v1.ListCronTablesRequest;
import io.kairos.api.v1.PutCronEntryRequest;
import io.kairos.api.v1.PutCronEntryRequest.Mode;
import io.kairos.api.v1.PutCronTableRequest;
import io.kairos.api.v1.RemoveAllCronEntriesRequest;
import io.kairos.api.v1.RemoveCronEntryRequest;
import io.kairos.api.v1.RemoveCronTableRequest;
import io.kairos.api.v1.Replica;
import io.kairos.engine.replica.SubmissionResult;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls about a replicated cron, at its only replica: a real log, and time that the test tells. */
@Timeout(120)
class CronCallsTest {
  private static final Duration HALF_A_SECOND = Duration.newBuilder().setNanos(500_000_000).build();
  private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");

  /** Agreed time never goes back, so that each test is later than the one before. */
  private static Instant now = NOON;

  @TempDir private static Path directory;
  private static CronEdge edge;
  private static CronServiceBlockingStub calls;

  @BeforeAll
  static void open() throws IOException {
    edge = new CronEdge(directory);
    calls = CronServiceGrpc.newBlockingStub(edge.channel);
  }

  @AfterAll
  static void close() {
    edge.close();
  }

  @BeforeEach
  void later() {
    now = now.plusSeconds(86_400);
  }

  @AfterEach
  void empty() {
    edge.stopped = null;
    edge.scripted = null;
    edge.hasTime = true;
    for (CronTable table : tables()) {
      calls.removeCronTable(
          RemoveCronTableRequest.newBuilder().setComponent(table.getComponent()).build());
    }
  }

  private static List<CronTable> tables() {
    return calls.listCronTables(ListCronTablesRequest.getDefaultInstance()).getTablesList();
  }

  private static CronEntry.Builder entry(long component, int position) {
    CronEntry.Builder entry =
        CronEntry.newBuilder().setComponent(component).setPosition(position).setEveryTick(true);
    entry.getRunBuilder().setModule("notebook").setArgument(ByteString.copyFromUtf8("tick"));
    return entry;
  }

  private static long put(CronEntry.Builder entry) {
    return put(entry, Mode.CREATE);
  }

  private static long put(CronEntry.Builder entry, Mode mode) {
    return calls
        .putCronEntry(PutCronEntryRequest.newBuilder().setEntry(entry).setMode(mode).build())
        .getSequence();
  }

  private static CronEntry get(long component, int position) {
    return calls.getCronEntry(
        GetCronEntryRequest.newBuilder().setComponent(component).setPosition(position).build());
  }

  private static Replica replica() {
    return calls.getReplica(GetReplicaRequest.getDefaultInstance());
  }

  private static Status refused(ThrowingCallable call) {
    return catchThrowableOfType(StatusRuntimeException.class, call).getStatus();
  }

  private static Timestamp wire(Instant time) {
    return Timestamps.fromMillis(time.toEpochMilli());
  }

  @Test
  void cc20_cc23_an_entry_that_needs_time_is_refused_where_there_is_none() {
    edge.hasTime = false;

    put(entry(1, 10));
    put(entry(1, 20).setEverySequences(5));
    Status periodic = refused(() -> put(entry(1, 30).setEvery(HALF_A_SECOND)));
    Status outside =
        refused(() ->
            put(
                entry(1, 40)
                    .setEnqueueTask(CronEntry.EnqueueTask.newBuilder().setHandler("mail"))));

    assertThat(List.of(periodic, outside))
        .allSatisfy(refusal -> {
          assertThat(refusal.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
          assertThat(refusal.getDescription()).contains("replica.time is off");
        });
  }

  @Test
  void a_replica_shows_itself_and_the_others() {
    put(entry(1, 10));
    long tick = edge.tick(1, now);

    Replica shown = replica();

    assertThat(shown.getCluster()).isEqualTo("orders");
    assertThat(shown.getNumber()).isZero();
    assertThat(shown.getPeersList())
        .extracting(peer -> peer.toBuilder().clearClock().clearLastDigest().build())
        .containsExactly(
            Replica.Peer.newBuilder()
                .setLogAddress(edge.logAddress())
                .setEdgeAddress("cron.example:7171")
                .build());
    assertThat(shown.hasLeader()).isTrue();
    assertThat(shown.getLeader()).isZero();
    assertThat(shown.getSequence()).isEqualTo(tick);
    assertThat(shown.getAgreedTime()).isEqualTo(wire(now));
    assertThat(shown.getEntries()).isEqualTo(1);
    assertThat(shown.getModulesList()).containsExactly("notebook");
  }

  @Test
  void a_replica_shows_its_last_digest_and_how_far_it_is_known_to_agree_with_others() {
    put(entry(1, 10));
    long sequence = edge.tick(1, now);
    while (sequence % CronEdge.DIGEST_EVERY != 0) {
      now = now.plusSeconds(1);
      sequence = edge.tick(1, now);
    }

    Replica.Checkpoint last = replica().getLastCheckpoint();
    assertThat(last.getSequence()).isEqualTo(sequence);
    assertThat(last.getDigest()).matches("[0-9a-f]{64}");

    edge.vote();
    edge.tick(1, now.plusSeconds(1)); // is executed behind the vote
    Replica shown = replica();
    assertThat(shown.getAgreedSequence()).isEqualTo(sequence);
    assertThat(shown.getClock()).isEqualTo(wire(CronEdge.NOW));
    Replica.Peer self = shown.getPeers(0);
    assertThat(self.getClock()).isEqualTo(wire(now.plusSeconds(1)));
    assertThat(self.getTicksSince()).isZero();
    assertThat(self.getLastDigest()).isEqualTo(last);
    assertThat(self.hasPartedAt()).isFalse();
  }

  @Test
  void an_effect_that_is_decided_waits() {
    CronEntry.Builder entry = entry(1, 10);
    entry.getEnqueueTaskBuilder().setHandler("mail");
    int before = replica().getEffectsWaiting();
    put(entry);

    edge.tick(1, now);

    assertThat(replica().getEffectsWaiting()).isEqualTo(before + 1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"everyTick\": true, \"run\": {\"module\": \"notebook\", \"argument\": \"YQ==\"}",
        "\"everySequences\": \"100\", \"enqueueTask\": {\"handler\": \"mail\", \"payload\": \"YQ==\", \"key\": \"k\"}",
        "\"every\": \"1.5s\", \"postMessage\": {\"topic\": \"t\", \"key\": \"YQ==\", \"value\": \"YQ==\", \"delay\": \"60s\"}",
        "\"fixedRate\": {\"period\": \"10s\", \"anchor\": \"2029-01-01T00:00:00Z\"}, \"push\":"
            + " {\"url\": \"http://127.0.0.1:9/x\", \"contentType\": \"text/plain\", \"body\": \"YQ==\"}",
        "\"cron\": \"*/7 * * * *\", \"pushToPool\": {\"pool\": {\"name\": \"billing\", \"method\": \"PUT\","
            + " \"path\": \"/x?a=b\", \"headers\": [{\"name\": \"x-a\", \"value\": \"b\"}]}, \"body\": \"YQ==\", \"key\": \"k\"}",
        "\"byModule\": {\"module\": \"notebook\", \"argument\": \"YQ==\"}, \"prune\": \"1s\"",
        "\"cron\": \"*/5 * * * *\", \"prune\": \"604800s\""
      })
  void what_is_put_is_shown(String fields) throws IOException {
    CronEntry.Builder given =
        CronEntry.newBuilder().setComponent(4_294_967_294L).setPosition(99_999).setTitle("ß");
    JsonFormat.parser().merge("{" + fields + "}", given);

    put(given);

    assertThat(get(4_294_967_294L, 99_999).toBuilder().clearNextFire().build())
        .isEqualTo(given.build());
  }

  @Test
  void a_push_has_a_type_when_none_is_given() {
    CronEntry.Builder given = entry(1, 10);
    given.getPushBuilder().setUrl("http://127.0.0.1:9/");

    put(given);

    assertThat(get(1, 10).getPush().getContentType()).isEqualTo("application/octet-stream");
  }

  @Test
  void cc9_a_taken_position_is_refused_with_what_would_help_and_replaced_when_asked_to() {
    put(entry(1, 10).setTitle("first"));
    edge.tick(1, now);

    Status refusal = refused(() -> put(entry(1, 10).setTitle("second")));
    assertThat(refusal.getCode()).isEqualTo(Status.Code.ALREADY_EXISTS);
    assertThat(refusal.getDescription()).contains("REPLACE");
    assertThat(get(1, 10).getTitle()).isEqualTo("first");
    assertThat(get(1, 10).getFires()).isEqualTo(1);

    put(entry(1, 10).setTitle("second"), Mode.REPLACE);
    assertThat(get(1, 10).getTitle()).isEqualTo("second");
    assertThat(get(1, 10).getFires()).isZero();
  }

  @Test
  void cc6_an_entry_is_removed_once() {
    put(entry(1, 10));
    RemoveCronEntryRequest removal =
        RemoveCronEntryRequest.newBuilder().setComponent(1).setPosition(10).build();

    assertThat(calls.removeCronEntry(removal).getSequence()).isPositive();

    Status again = refused(() -> calls.removeCronEntry(removal));
    assertThat(again.getCode()).isEqualTo(Status.Code.NOT_FOUND);
    assertThat(again.getDescription())
        .isEqualTo("position: there is no entry at position 10 of component 1");
    assertThat(refused(() -> get(1, 10)).getCode()).isEqualTo(Status.Code.NOT_FOUND);
  }

  @Test
  void cc7_all_entries_of_a_table_are_removed_and_counted() {
    put(entry(1, 10));
    put(entry(1, 20));
    put(entry(2, 10));
    RemoveAllCronEntriesRequest removal =
        RemoveAllCronEntriesRequest.newBuilder().setComponent(1).build();

    assertThat(calls.removeAllCronEntries(removal).getRemoved()).isEqualTo(2);

    assertThat(calls.removeAllCronEntries(removal).getRemoved()).isZero();
    assertThat(tables()).map(CronTable::getEntries).containsExactly(0, 1);
    assertThat(
            refused(() ->
                    calls.removeAllCronEntries(
                        RemoveAllCronEntriesRequest.newBuilder().setComponent(3).build()))
                .getCode())
        .isEqualTo(Status.Code.NOT_FOUND);
  }

  @Test
  void a_table_is_made_shown_and_removed() {
    calls.putCronTable(
        PutCronTableRequest.newBuilder().setComponent(1).setTick(HALF_A_SECOND).build());
    put(entry(1, 10));
    edge.tick(1, now);

    CronTable table = tables().getFirst();
    assertThat(table.getTick()).isEqualTo(HALF_A_SECOND);
    assertThat(table.getEntries()).isEqualTo(1);
    assertThat(table.getFailures()).isZero();
    assertThat(table.getRound()).isPositive();

    RemoveCronTableRequest removal = RemoveCronTableRequest.newBuilder().setComponent(1).build();
    calls.removeCronTable(removal);
    assertThat(tables()).isEmpty();
    assertThat(refused(() -> calls.removeCronTable(removal)).getDescription())
        .isEqualTo("component: there is no table of component 1");
  }

  @Test
  void entries_are_listed_by_component_and_position_in_pages() {
    for (int position : List.of(30, 10, 20)) {
      put(entry(2, position));
      put(entry(1, position));
    }

    assertThat(listed(ListCronEntriesRequest.newBuilder().setPageSize(4)))
        .containsExactly("1-10", "1-20", "1-30", "2-10", "|", "2-20", "2-30");
    assertThat(listed(ListCronEntriesRequest.newBuilder().setPageSize(3)))
        .containsExactly("1-10", "1-20", "1-30", "|", "2-10", "2-20", "2-30");
    assertThat(listed(ListCronEntriesRequest.newBuilder().setComponent(2).setPageSize(2)))
        .containsExactly("2-10", "2-20", "|", "2-30");
  }

  @Test
  void entries_and_fires_of_a_table_that_is_not_there_are_not_found() {
    put(entry(1, 10));

    Status entries = refused(() -> listed(ListCronEntriesRequest.newBuilder().setComponent(3)));
    Status fires =
        refused(
            () -> calls.listCronFires(ListCronFiresRequest.newBuilder().setComponent(3).build()));
    assertThat(List.of(entries, fires))
        .allSatisfy(status -> {
          assertThat(status.getCode()).isEqualTo(Status.Code.NOT_FOUND);
          assertThat(status.getDescription())
              .isEqualTo("component: there is no table of component 3");
        });
  }

  /** Those of all pages, with a bar between two. */
  private static List<String> listed(ListCronEntriesRequest.Builder request) {
    List<String> all = new ArrayList<>();
    while (true) {
      ListCronEntriesResponse page = calls.listCronEntries(request.build());
      page.getEntriesList()
          .forEach(entry -> all.add(entry.getComponent() + "-" + entry.getPosition()));
      if (page.getNextPageToken().isEmpty()) {
        return all;
      }
      all.add("|");
      request.setPageToken(page.getNextPageToken());
    }
  }

  @Test
  void a_page_is_not_larger_than_clients_take() {
    ByteString argument = ByteString.copyFrom(new byte[3_900]);
    for (int position = 0; position < 600; position++) {
      CronEntry.Builder entry = entry(1, position);
      entry.getRunBuilder().setArgument(argument);
      put(entry);
    }
    ListCronEntriesRequest.Builder request = ListCronEntriesRequest.newBuilder().setPageSize(1_000);

    ListCronEntriesResponse first = calls.listCronEntries(request.build());
    assertThat(first.getSerializedSize()).isLessThan(4 << 20);
    ListCronEntriesResponse second =
        calls.listCronEntries(request.setPageToken(first.getNextPageToken()).build());

    assertThat(first.getEntriesCount() + second.getEntriesCount()).isEqualTo(600);
    assertThat(second.getNextPageToken()).isEmpty();
  }

  @Test
  void fires_are_listed_newest_first_and_the_last_is_shown_with_the_next() {
    put(entry(1, 10).setEvery(Duration.newBuilder().setSeconds(10)));
    put(entry(1, 20).setEverySequences(1));
    assertThat(get(1, 10).hasNextFire()).isFalse();

    long first = edge.tick(1, now);
    long second = edge.tick(1, now.plusSeconds(5));
    long third = edge.tick(1, now.plusSeconds(10));

    CronFire last = fire(third, 10, now.plusSeconds(10));
    assertThat(
            calls
                .listCronFires(ListCronFiresRequest.newBuilder().setComponent(1).build())
                .getFiresList())
        .containsExactly(
            fire(third, 20, now.plusSeconds(10)),
            last,
            fire(second, 20, now.plusSeconds(5)),
            fire(first, 20, now),
            fire(first, 10, now));
    assertThat(
            calls
                .listCronFires(
                    ListCronFiresRequest.newBuilder().setComponent(1).setLimit(1).build())
                .getFiresList())
        .containsExactly(fire(third, 20, now.plusSeconds(10)));
    CronEntry shown = get(1, 10);
    assertThat(shown.getFires()).isEqualTo(2);
    assertThat(shown.getLastFire()).isEqualTo(last);
    assertThat(shown.getNextFire().getTime()).isEqualTo(wire(now.plusSeconds(20)));
    assertThat(shown.hasLastFailure()).isFalse();
    assertThat(get(1, 20).getNextFire().getSequence()).isEqualTo(third + 1);
  }

  private static CronFire fire(long sequence, int position, Instant time) {
    return CronFire.newBuilder()
        .setSequence(sequence)
        .setPosition(position)
        .setFireTime(wire(time))
        .build();
  }

  @Test
  void cc10_an_entry_that_throws_shows_how() {
    CronEntry.Builder entry = entry(1, 10);
    entry.getRunBuilder().setArgument(ByteString.copyFromUtf8(Notebook.TROUBLE));
    put(entry);

    long tick = edge.tick(1, now);

    CronEntry.Failure failure = get(1, 10).getLastFailure();
    assertThat(failure.getCallback()).isEqualTo(CronEntry.Failure.Callback.ACTION);
    assertThat(failure.getCount()).isEqualTo(1);
    assertThat(failure.getSequence()).isEqualTo(tick);
    assertThat(failure.getKind()).contains("IllegalStateException");
    assertThat(tables().getFirst().getFailures()).isEqualTo(1);
  }

  private static CallModuleRequest.Builder toNotebook(String words) {
    return CallModuleRequest.newBuilder()
        .setModule("notebook")
        .setBody(ByteString.copyFromUtf8(words));
  }

  @Test
  void a_request_to_a_module_is_executed_once_per_call_or_once_per_number() {
    CallModuleResponse first = calls.callModule(toNotebook("one").build());
    CallModuleResponse second = calls.callModule(toNotebook("two").build());
    assertThat(second.getSequence()).isEqualTo(first.getSequence() + 1);
    assertThat(second.getReply().toStringUtf8()).isEqualTo("one");

    CallModuleRequest numbered = toNotebook("three").setClient(7).setRequest(1).build();
    CallModuleResponse third = calls.callModule(numbered);
    assertThat(third.getReply().toStringUtf8()).isEqualTo("two");
    assertThat(calls.callModule(numbered)).isEqualTo(third);

    calls.callModule(toNotebook("four").setClient(7).setRequest(2).build());
    Status stale = refused(() -> calls.callModule(numbered));
    assertThat(stale.getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
    assertThat(stale.getDescription())
        .contains("a later request of this client (2) has been executed");
    assertThat(calls.callModule(toNotebook("five").build()).getReply().toStringUtf8())
        .isEqualTo("four");
  }

  @Test
  void a_module_that_throws_has_done_nothing() {
    calls.callModule(toNotebook("before").build());

    Status refusal = refused(() -> calls.callModule(toNotebook(Notebook.TROUBLE).build()));

    assertThat(refusal.getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
    assertThat(refusal.getDescription()).contains("it threw at sequence");
    assertThat(calls.callModule(toNotebook("after").build()).getReply().toStringUtf8())
        .isEqualTo("before");
  }

  @Test
  void a_module_that_the_replicas_do_not_have_is_not_found() {
    Status called = refused(() -> calls.callModule(toNotebook("").setModule("diary").build()));
    assertThat(called.getCode()).isEqualTo(Status.Code.NOT_FOUND);
    assertThat(called.getDescription()).isEqualTo("module: the replicas have no module diary");

    CronEntry.Builder entry = entry(1, 10);
    entry.getRunBuilder().setModule("diary");
    Status put = refused(() -> put(entry));
    assertThat(put.getCode()).isEqualTo(Status.Code.NOT_FOUND);
    assertThat(put.getDescription()).startsWith("entry.run.module:");
    CronEntry.Builder ruled = entry(1, 10).setPrune(HALF_A_SECOND);
    ruled.getByModuleBuilder().setModule("diary");
    assertThat(refused(() -> put(ruled)).getDescription()).startsWith("entry.by_module:");
  }

  @Test
  void the_trail_tells_what_each_request_has_written() {
    long made = put(entry(1, 10));
    long tick = edge.tick(1, now);

    List<GetTrailResponse.Step> steps =
        calls.getTrail(GetTrailRequest.newBuilder().setSince(made - 1).build()).getStepsList();

    assertThat(steps).map(GetTrailResponse.Step::getSequence).containsExactly(made, tick);
    assertThat(steps.getFirst().hasComponent()).isFalse();
    assertThat(steps.getFirst().hasPosition()).isFalse();
    assertThat(steps.getLast().getComponent()).isEqualTo(1);
    assertThat(steps.getLast().getPosition()).isEqualTo(10);
    assertThat(steps.getLast().getWrites()).isNotZero();
    assertThat(calls.getTrail(GetTrailRequest.newBuilder().setSince(tick).build()).getStepsList())
        .isEmpty();
  }

  @Test
  void a_replica_that_has_parted_refuses_every_call_and_says_why_so_that_clients_go_to_another()
      throws IOException {
    edge.stopped = "at sequence 1000 this replica has another state than replica 1, replica 2";

    for (MethodDescriptor<?, ?> method : CronServiceGrpc.getServiceDescriptor().getMethods()) {
      StatusRuntimeException refusal =
          catchThrowableOfType(StatusRuntimeException.class, () -> call(method));

      assertThat(refusal.getStatus().getCode())
          .as(method.getFullMethodName())
          .isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(refusal.getStatus().getDescription()).isEqualTo(edge.stopped);
      assertThat(reasons(refusal)).containsExactly("NOTHING_DONE");
    }
  }

  /** A request of each kind that is in order. */
  private static <Q, A> void call(MethodDescriptor<Q, A> method) throws IOException {
    Object request =
        switch (String.valueOf(method.getBareMethodName())) {
          case "PutCronEntry" -> PutCronEntryRequest.newBuilder().setEntry(entry(1, 10)).build();
          case "PutCronTable" ->
              PutCronTableRequest.newBuilder().setTick(Duration.getDefaultInstance()).build();
          case "CallModule" -> toNotebook("").build();
          default -> method.parseRequest(InputStream.nullInputStream());
        };
    @SuppressWarnings("unchecked") // it is the method's own
    Q given = (Q) request;
    ClientCalls.blockingUnaryCall(edge.channel, method, CallOptions.DEFAULT, given);
  }

  private static List<String> reasons(StatusRuntimeException refusal) throws IOException {
    List<String> reasons = new ArrayList<>();
    for (var detail : requireNonNull(StatusProto.fromThrowable(refusal)).getDetailsList()) {
      if (detail.is(ErrorInfo.class)) {
        reasons.add(detail.unpack(ErrorInfo.class).getReason());
      } else {
        assertThat(detail.is(RetryInfo.class)).isTrue();
      }
    }
    return reasons;
  }

  @Test
  void a_client_with_too_many_requests_is_told_to_wait_and_that_nothing_was_done()
      throws IOException {
    edge.scripted = new SubmissionResult.Refused("100 requests are pending: wait for one");

    StatusRuntimeException refusal =
        catchThrowableOfType(StatusRuntimeException.class, () -> put(entry(1, 10)));

    assertThat(refusal.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(refusal.getStatus().getDescription())
        .isEqualTo("100 requests are pending: wait for one");
    assertThat(reasons(refusal)).containsExactly("NOTHING_DONE");
  }

  @Test
  void a_change_that_may_be_executed_yet_is_not_said_to_have_done_nothing() throws IOException {
    edge.scripted = new SubmissionResult.Unknown("there was no majority within 10 s");

    StatusRuntimeException refusal =
        catchThrowableOfType(StatusRuntimeException.class, () -> put(entry(1, 10)));

    assertThat(refusal.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(refusal.getStatus().getDescription())
        .isEqualTo(
            "there was no majority within 10 s; what was asked may be done yet or not: look, or"
                + " repeat it");
    assertThat(reasons(refusal)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"component": -1}                                        | entry.component: a component has a number
          {"component": 4294967296}                                | entry.component: a component has a number
          {"position": -1}                                         | entry.position: must be 0 to 99,999
          {"position": 100000}                                     | entry.position: must be 0 to 99,999
          {}                                                       | entry.cron: it, every, fixed_rate
          {"everyTick": false}                                     | entry.every_tick: must be true
          {"everySequences": 0}                                    | entry.every_sequences: an entry fires every 1 to
          {"every": "0s"}                                          | entry.every:
          {"every": "-1s"}                                         | entry.every: must not be negative
          {"every": "0.0001s"}                                     | entry.every:
          {"byModule": {}}                                         | entry.by_module: a module's name has
          {"fixedRate": {}}                                        | entry.fixed_rate:
          {"cron": "61 * * * *", "prune": "1s"}                    | entry.cron: minute: "61" at 0 is refused
          {"everyTick": true}                                      | entry.enqueue_task: it, post_message, push_to_pool
          {"everyTick": true, "pushToPool": {}}                    | entry.push_to_pool.pool.name: must have
          {"everyTick": true, "pushToPool": {"pool": {"name": "p", "path": "x"}}} | entry.push_to_pool.pool.path: must begin
          {"everyTick": true, "pushToPool": {"pool": {"name": "p"}, "key": "\\u0007"}} | entry.push_to_pool:
          {"everyTick": true, "enqueueTask": {}}                   | entry.enqueue_task:
          {"everyTick": true, "enqueueTask": {"handler": "pool:p"}} | entry.enqueue_task: a handler's name must not begin with pool:
          {"everyTick": true, "postMessage": {"topic": "t"}}       | entry.post_message:
          {"everyTick": true, "push": {"url": "ftp://x"}}          | entry.push:
          {"everyTick": true, "prune": "0s"}                       | entry.prune:
          {"everyTick": true, "run": {"module": "No"}}             | entry.run: a module's name has
          {"everyTick": true, "run": {"module": "notebook"}, "title": "\\u0007"} | entry: a title has up to 120
          """)
  void an_entry_that_makes_no_sense_is_refused_by_its_field(String json, String problem)
      throws IOException {
    CronEntry.Builder entry = CronEntry.newBuilder();
    JsonFormat.parser().merge(json, entry);

    Status refusal = refused(() -> put(entry));

    assertThat(refusal.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(refusal.getDescription()).startsWith(problem);
    assertThat(tables()).isEmpty();
  }

  @Test
  void an_entry_that_is_too_large_is_refused() {
    CronEntry.Builder entry = entry(1, 10);
    entry.getRunBuilder().setArgument(ByteString.copyFrom(new byte[4_000]));

    assertThat(refused(() -> put(entry)).getDescription())
        .startsWith("entry: an entry has up to 4000 bytes");
  }

  @Test
  void other_requests_that_make_no_sense_are_refused_by_their_field() {
    assertInvalid(
        () -> calls.putCronTable(PutCronTableRequest.getDefaultInstance()),
        "tick: must be given; 0s for not at all");
    assertInvalid(
        () ->
            calls.putCronTable(
                PutCronTableRequest.newBuilder()
                    .setTick(Duration.newBuilder().setNanos(1))
                    .build()),
        "tick: ticks come every 1 ms");
    assertInvalid(
        () -> calls.listCronFires(ListCronFiresRequest.newBuilder().setLimit(1_001).build()),
        "limit: must be 1 to 1,000");
    assertInvalid(
        () -> calls.listCronEntries(ListCronEntriesRequest.newBuilder().setPageSize(1_001).build()),
        "page_size: must be 1 to 1,000");
    for (String token : List.of("x", "1", "1-", "99999999999-1", "4294967296-1")) {
      assertInvalid(
          () ->
              calls.listCronEntries(
                  ListCronEntriesRequest.newBuilder().setPageToken(token).build()),
          "page_token: ");
    }
    assertInvalid(
        () ->
            calls.listCronEntries(
                ListCronEntriesRequest.newBuilder().setComponent(2).setPageToken("1-10").build()),
        "page_token: must come from the answer to the same question");
    assertInvalid(
        () -> calls.callModule(toNotebook("").setModule("").build()),
        "module: a module's name has");
    assertInvalid(
        () -> calls.callModule(toNotebook("x".repeat(CronEdge.MAX_PAYLOAD + 1)).build()),
        "body: must be at most 1,000 bytes");
    assertInvalid(
        () -> calls.callModule(toNotebook("").setClient(-1).setRequest(1).build()),
        "client: must be a number from 0 on");
    assertInvalid(
        () -> calls.callModule(toNotebook("").setClient(1).build()),
        "request: must be a number from 1 on");
    assertInvalid(
        () -> calls.callModule(toNotebook("").setRequest(1).build()),
        "request: must not be given without client");
  }

  private static void assertInvalid(ThrowingCallable call, String problem) {
    Status refusal = refused(call);

    assertThat(refusal.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(refusal.getDescription()).startsWith(problem);
  }

  @Test
  void the_same_is_there_as_rest() throws Exception {
    HttpResponse<String> put =
        edge.rest(
            "PUT",
            "/v1/cron/entries/3/7?mode=REPLACE",
            """
            {"everyTick": true, "run": {"module": "notebook"}}\
            """);
    assertThat(put.statusCode()).as(put.body()).isEqualTo(200);
    assertThat(put.body()).contains("\"sequence\":\"");

    assertThat(edge.rest("GET", "/v1/cron/entries/3/7", "").body())
        .contains("\"everyTick\":true", "\"module\":\"notebook\"", "\"nextTick\":true");
    assertThat(edge.rest("GET", "/v1/cron/entries?component=3", "").body())
        .contains("\"position\":7");
    assertThat(edge.rest("GET", "/v1/replica", "").body()).contains("\"cluster\":\"orders\"");
    assertThat(edge.rest("POST", "/v1/cron/modules/notebook:call", "{\"body\": \"YQ==\"}").body())
        .contains("\"reply\":");
    assertThat(edge.rest("DELETE", "/v1/cron/entries/3/7", "").statusCode()).isEqualTo(200);
    HttpResponse<String> gone = edge.rest("GET", "/v1/cron/entries/3/7", "");
    assertThat(gone.statusCode()).isEqualTo(404);
    assertThat(gone.body()).contains("there is no entry at position 7 of component 3");
  }

  @Test
  void a_put_over_rest_creates_or_replaces_unless_it_may_only_create() throws Exception {
    String path = "/v1/cron/entries/3/7";
    String first =
        """
        {"title": "a", "everyTick": true, "run": {"module": "notebook", "argument": "dGljaw=="}}\
        """;
    assertThat(edge.rest("PUT", path, first).statusCode()).isEqualTo(200);
    edge.tick(3, now);

    assertThat(edge.rest("PUT", path, first).statusCode()).isEqualTo(200);
    assertThat(get(3, 7).getFires()).as("an equal entry goes on").isEqualTo(1);
    assertThat(
            edge.rest("PUT", path + "?mode=CREATE", first.replace("\"a\"", "\"b\"")).statusCode())
        .isEqualTo(409);
    assertThat(edge.rest("PUT", path, first.replace("\"a\"", "\"b\"")).statusCode()).isEqualTo(200);
    assertThat(get(3, 7).getTitle()).isEqualTo("b");
  }

  @Test
  void an_edge_serves_what_its_process_gives_it() throws Exception {
    assertThat(edge.rest("GET", "/", "").body()).startsWith("This is a replica.\n");
    assertThat(edge.rest("GET", "/v1/tasks", "").statusCode()).isEqualTo(404);
    Iterator<HealthCheckResponse> health =
        HealthGrpc.newBlockingStub(edge.channel)
            .watch(
                HealthCheckRequest.newBuilder().setService(CronServiceGrpc.SERVICE_NAME).build());
    while (health.next().getStatus() != ServingStatus.SERVING) {
      // Watched until it serves: the test's time limit is the end.
    }
  }
}
