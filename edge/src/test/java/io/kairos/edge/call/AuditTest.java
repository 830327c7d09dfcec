package io.kairos.edge.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.MethodDescriptor;
import io.kairos.api.v1.AuditEntry;
import io.kairos.api.v1.AuditServiceGrpc;
import io.kairos.api.v1.HandlerServiceGrpc;
import io.kairos.api.v1.ListAuditEntriesResponse;
import io.kairos.api.v1.PoolServiceGrpc;
import io.kairos.api.v1.TaskServiceGrpc;
import io.kairos.edge.caller.CallerConfig;
import io.kairos.edge.caller.CallerRole;
import io.kairos.edge.caller.Hashes;
import io.kairos.engine.task.port.operator.CancelResult;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What of the calls of both doors is in the audit log, and how it is shown. */
class AuditTest {
  private static final String ANA = "the token of ana";
  private static final String BEN = "the token of ben";
  private static final String FARM = "the token of the farm";

  @RegisterExtension
  static final Edge EDGE =
      new Edge(
          caller("ana", ANA, CallerRole.ADMIN),
          caller("ben", BEN, CallerRole.SUBMIT),
          caller("farm", FARM, CallerRole.WORKER));

  private static CallerConfig caller(String name, String token, CallerRole role) {
    return new CallerConfig(name, Hashes.of(token), Set.of(role));
  }

  private static List<String> lines() {
    return EDGE.audit.entries().reversed().stream()
        .map(entry ->
            "%s %s %s %s %s: %s"
                .formatted(
                    entry.call().caller(),
                    entry.call().action(),
                    entry.call().kind(),
                    entry.call().object(),
                    entry.call().detail(),
                    entry.outcome()))
        .toList();
  }

  private static HttpResponse<String> pause(String token) throws Exception {
    return EDGE.send(
        EDGE.json("PUT", "/v1/handlers/billing/pauses/eu", "{\"note\": \"a private note\"}")
            .header("authorization", "Bearer " + token));
  }

  @Test
  void a_change_has_an_entry_with_caller_object_and_outcome_by_both_doors() throws Exception {
    EDGE.tasks.cancelResult = CancelResult.UNKNOWN;
    HttpResponse<String> answer = pause(ANA);
    assertThatThrownBy(() ->
            EDGE.call(
                TaskServiceGrpc.getCancelTaskMethod(),
                "{\"id\": \"01890000-0000-7000-8000-000000000001\"}",
                BEN))
        .hasMessageContaining("NOT_FOUND");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(lines())
        .containsExactly(
            "ana SetPause handler billing collection=eu: OK",
            "ben CancelTask task 01890000-0000-7000-8000-000000000001 : NOT_FOUND");
    assertThat(EDGE.audit.entries()).allMatch(entry -> entry.call().address().equals("127.0.0.1"));
    assertThat(EDGE.audit.lines).hasSize(2).noneMatch(line -> line.contains("private"));
  }

  @Test
  void an_invalid_change_has_an_entry_with_its_refusal() throws Exception {
    assertThatThrownBy(() ->
            EDGE.call(HandlerServiceGrpc.getSetPauseMethod(), "{\"handler\": \"not a name\"}", ANA))
        .hasMessageContaining("INVALID_ARGUMENT");

    assertThat(lines()).containsExactly("ana SetPause handler not a name : INVALID_ARGUMENT");
  }

  @Test
  void reads_submissions_and_calls_of_workers_have_no_entries() throws Exception {
    EDGE.call(HandlerServiceGrpc.getListPausesMethod(), "{}", ANA);
    EDGE.call(TaskServiceGrpc.getScheduleTaskMethod(), "{\"handler\": \"h\"}", BEN);

    assertThat(lines()).isEmpty();
  }

  @Test
  void refusals_have_entries_with_the_caller_if_it_is_known() throws Exception {
    assertThat(pause(BEN).statusCode()).isEqualTo(403);
    assertThat(pause("guessed").statusCode()).isEqualTo(401);
    assertThatThrownBy(() -> EDGE.call(PoolServiceGrpc.getListPoolsMethod(), "{}", BEN))
        .hasMessageContaining("PERMISSION_DENIED");

    assertThat(lines())
        .containsExactly(
            "ben SetPause   : PERMISSION_DENIED",
            "null SetPause   : UNAUTHENTICATED",
            "ben ListPools   : PERMISSION_DENIED");
    assertThat(EDGE.audit.lines).noneMatch(line -> line.contains("guessed"));
  }

  @Test
  void a_change_whose_entry_cannot_be_written_is_not_made() throws Exception {
    EDGE.audit.isAway = true;

    HttpResponse<String> answer = pause(ANA);

    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.body()).contains("could not be written to the audit log");
    assertThat(EDGE.tasks.queues.pauses).isEmpty();
    EDGE.call(TaskServiceGrpc.getScheduleTaskMethod(), "{\"handler\": \"h\"}", BEN);

    EDGE.audit.isAway = false;
    assertThat(pause(ANA).statusCode()).isEqualTo(200);
    assertThat(lines())
        .contains("ana SetPause handler billing collection=eu: UNAVAILABLE")
        .contains("ana SetPause handler billing collection=eu: OK");
  }

  @Test
  void a_node_that_is_not_ready_makes_no_change_and_keeps_what_it_refused() throws Exception {
    EDGE.ready = false;

    assertThat(pause(ANA).statusCode()).isEqualTo(503);
    assertThat(pause("guessed").statusCode()).isEqualTo(401);
    assertThat(EDGE.audit.lines).hasSize(2);

    EDGE.ready = true;
    assertThat(pause(ANA).statusCode()).isEqualTo(200);
    assertThat(lines())
        .containsExactlyInAnyOrder(
            "ana SetPause handler billing collection=eu: UNAVAILABLE",
            "null SetPause   : UNAUTHENTICATED",
            "ana SetPause handler billing collection=eu: OK");
  }

  @Test
  void a_refusal_that_cannot_be_recorded_is_one_nevertheless() throws Exception {
    EDGE.auditIsBroken = true;

    assertThat(pause(BEN).statusCode()).isEqualTo(403);
    assertThat(pause("guessed").statusCode()).isEqualTo(401);
  }

  @Test
  void an_endpoint_that_registers_has_an_entry_when_that_changes_the_pool() throws Exception {
    String endpoint = "{\"pool\": \"workers\", \"url\": \"http://127.0.0.1:9000/secret\"}";
    EDGE.call(
        PoolServiceGrpc.getCreatePoolMethod(),
        "{\"pool\": {\"name\": \"workers\", \"registered\": {}}}",
        ANA);

    for (int i = 0; i < 3; i++) {
      EDGE.call(PoolServiceGrpc.getRegisterEndpointMethod(), endpoint, FARM);
    }
    for (int i = 0; i < 3; i++) {
      EDGE.call(PoolServiceGrpc.getUnregisterEndpointMethod(), endpoint, FARM);
    }

    assertThat(lines())
        .containsExactly(
            "ana CreatePool pool workers : OK",
            "farm RegisterEndpoint pool workers endpoint=127.0.0.1:9000: OK",
            "farm UnregisterEndpoint pool workers endpoint=127.0.0.1:9000: OK");
    assertThat(EDGE.audit.lines).noneMatch(line -> line.contains("secret"));
  }

  @Test
  void entries_are_shown_to_admins_only_newest_first_by_both_doors() throws Exception {
    pause(ANA);
    pause(BEN);

    ListAuditEntriesResponse shown =
        EDGE.call(AuditServiceGrpc.getListAuditEntriesMethod(), "{}", ANA);

    assertThat(shown.getEntriesList())
        .extracting(AuditEntry::getCaller)
        .containsExactly("ben", "ana");
    AuditEntry first = shown.getEntries(1);
    assertThat(first.getAction()).isEqualTo("SetPause");
    assertThat(first.getKind()).isEqualTo("handler");
    assertThat(first.getObject()).isEqualTo("billing");
    assertThat(first.getDetail()).isEqualTo("collection=eu");
    assertThat(first.getOutcome()).isEqualTo("OK");
    assertThat(first.getAddress()).isEqualTo("127.0.0.1");
    assertThat(first.hasTime()).isTrue();
    assertThat(get("/v1/audit?caller=ben", ANA).body())
        .contains("\"outcome\":\"PERMISSION_DENIED\"")
        .doesNotContain("\"ana\"");
    assertThat(get("/v1/audit", BEN).statusCode()).isEqualTo(403);
  }

  private static HttpResponse<String> get(String path, String token) throws Exception {
    return EDGE.send(
        HttpRequest.newBuilder(EDGE.uri(path)).header("authorization", "Bearer " + token));
  }

  @Test
  void pages_follow_one_another() throws Exception {
    for (int i = 0; i < 5; i++) {
      pause(ANA);
    }
    MethodDescriptor<?, ListAuditEntriesResponse> list =
        AuditServiceGrpc.getListAuditEntriesMethod();

    ListAuditEntriesResponse first = EDGE.call(list, "{\"pageSize\": 3}", ANA);
    ListAuditEntriesResponse second =
        EDGE.call(
            list,
            "{\"pageSize\": 3, \"pageToken\": \"%s\"}".formatted(first.getNextPageToken()),
            ANA);

    assertThat(first.getEntriesCount()).isEqualTo(3);
    assertThat(second.getEntriesCount()).isEqualTo(2);
    assertThat(second.getNextPageToken()).isEmpty();
    assertThat(second.getEntries(0).getNumber()).isLessThan(first.getEntries(2).getNumber());
    assertThatThrownBy(() -> EDGE.call(list, "{\"pageToken\": \"x\"}", ANA))
        .hasMessageContaining("page_token: must come from");
    assertThatThrownBy(() ->
            EDGE.call(
                list,
                "{\"notBefore\": \"2030-01-01T00:00:00Z\", \"before\": \"2030-01-01T00:00:00Z\"}",
                ANA))
        .hasMessageContaining("before: must be after not_before");
  }
}
