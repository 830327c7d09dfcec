package io.kairos.bench.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScreenCallTest {
  @Test
  void a_target_repeats_lists_escapes_values_and_leaves_out_what_is_empty() {
    assertThat(
            ScreenCall.target(
                "/v1/tasks", "states", List.of("DEAD", "FAILED"), "handler", "", "text", "a b&c"))
        .isEqualTo("/v1/tasks?states=DEAD&states=FAILED&text=a+b%26c");
    assertThat(ScreenCall.target("/v1/cluster")).isEqualTo("/v1/cluster");
  }

  @Test
  void an_open_overview_asks_for_these_in_this_rhythm() {
    assertThat(ScreenCalls.overview())
        .filteredOn(call -> call.everySeconds() > 0)
        .extracting(call ->
            call.everySeconds() + " " + call.target().apply(Instant.EPOCH).replaceAll("\\?.*", ""))
        .containsExactlyInAnyOrder(
            "5 /v1/cluster",
            "5 /v1/cluster/figures",
            "15 /v1/cluster/waiting",
            "60 /v1/failureGroups");
  }
}
