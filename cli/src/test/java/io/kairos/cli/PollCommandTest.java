package io.kairos.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.kairos.api.v1.PollRequest;
import io.kairos.api.v1.PollResponse;
import io.kairos.api.v1.PollResponse.Step.Outcome;
import io.kairos.cli.ScriptedNode.Said;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class PollCommandTest {
  private static final ScriptedNode NODE = new ScriptedNode();

  @BeforeEach
  void forget() {
    NODE.forget();
  }

  @AfterAll
  static void stop() {
    NODE.close();
  }

  private static PollResponse answer(Outcome outcome) {
    return PollResponse.newBuilder()
        .addSteps(
            PollResponse.Step.newBuilder()
                .setName("fire-schedules")
                .setOutcome(outcome)
                .setRounds(2)
                .setDone(7))
        .build();
  }

  @Test
  void ph11_a_poll_shows_what_each_step_did() {
    NODE.answers(answer(Outcome.AT_REST));

    Said said = NODE.kairos("poll --within=3s");

    assertThat(said.code()).isZero();
    assertThat(said.out().lines())
        .containsExactly(
            "STEP            DONE  ROUNDS  OUTCOME", "fire-schedules  7     2       at rest");
    assertThat(NODE.request(PollRequest.class).getWithin().getSeconds()).isEqualTo(3);
  }

  @Test
  void programs_get_json() {
    NODE.answers(answer(Outcome.UNFINISHED));

    Said said = NODE.kairos("poll -o json");

    assertThat(said.code()).isZero();
    assertThat(said.out()).contains("\"fire-schedules\"").contains("\"UNFINISHED\"");
  }

  @Test
  void a_step_that_failed_is_an_exit_code() {
    NODE.answers(answer(Outcome.FAILED));

    assertThat(NODE.kairos("poll").code()).isEqualTo(1);
  }

  @Test
  void a_node_that_refuses_is_an_exit_code() {
    NODE.refuses(Status.PERMISSION_DENIED.withDescription("needs the role submit"));

    Said said = NODE.kairos("poll");

    assertThat(said.code()).isEqualTo(1);
    assertThat(said.err()).contains("needs the role submit");
  }
}
