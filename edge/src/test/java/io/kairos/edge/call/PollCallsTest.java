package io.kairos.edge.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.util.Durations;
import io.kairos.api.v1.PollRequest;
import io.kairos.api.v1.PollResponse;
import io.kairos.api.v1.PollResponse.Step.Outcome;
import io.kairos.api.v1.PollServiceGrpc;
import io.kairos.api.v1.PollServiceGrpc.PollServiceBlockingStub;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class PollCallsTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  @RegisterExtension static final Edge EDGE = new Edge();
  private final PollServiceBlockingStub grpc = PollServiceGrpc.newBlockingStub(EDGE.channel);

  private static PollResponse.Step step(Outcome outcome, int rounds, int done) {
    return PollResponse.Step.newBuilder()
        .setName("fire-schedules")
        .setOutcome(outcome)
        .setRounds(rounds)
        .setDone(done)
        .build();
  }

  @Test
  void ph11_a_poll_is_answered_with_what_each_step_did() throws Exception {
    PollResponse answer = grpc.poll(PollRequest.getDefaultInstance());
    HttpResponse<String> rest = EDGE.post("/v1/poll", "{}");

    assertThat(answer.getStepsList()).containsExactly(step(Outcome.AT_REST, 1, 3));
    assertThat(rest.statusCode()).isEqualTo(200);
    JsonNode first = JSON.readTree(rest.body()).get("steps").get(0);
    assertThat(first)
        .isEqualTo(
            JSON.readTree(
                """
                {"name": "fire-schedules", "outcome": "AT_REST", "rounds": 1, "done": 3}
                """));
  }

  @Test
  void ph18_a_poll_succeeds_although_a_step_fails() {
    EDGE.polling.round =
        () -> {
          throw new UnsupportedOperationException("the store is away");
        };

    assertThat(grpc.poll(PollRequest.getDefaultInstance()).getStepsList())
        .containsExactly(step(Outcome.FAILED, 0, 0));
  }

  @Test
  void a_poll_ends_when_its_time_is_over() {
    EDGE.polling.round = null;

    PollResponse answer =
        grpc.poll(PollRequest.newBuilder().setWithin(Durations.fromMillis(1)).build());

    assertThat(answer.getStepsList()).containsExactly(step(Outcome.UNFINISHED, 0, 0));
  }

  @Test
  void ph36_a_node_that_cannot_act_sends_the_poller_to_another() throws Exception {
    EDGE.ready = false;

    assertThatThrownBy(() -> grpc.poll(PollRequest.getDefaultInstance()))
        .hasMessageContaining("UNAVAILABLE: the node is not ready");
    assertThat(EDGE.post("/v1/poll", "{}").statusCode()).isEqualTo(503);
  }

  @Test
  void how_long_a_poll_may_take_has_a_bound() throws Exception {
    HttpResponse<String> refused = EDGE.post("/v1/poll", "{\"within\": \"61s\"}");

    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.body()).contains("within: must be at most 60 s");
  }
}
