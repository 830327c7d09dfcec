package io.kairos.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.api.v1.KeyLimit;
import io.kairos.api.v1.LimitUse;
import io.kairos.api.v1.ListLimitUsesRequest;
import io.kairos.api.v1.ListLimitUsesResponse;
import io.kairos.api.v1.ListLimitsResponse;
import io.kairos.api.v1.RemoveLimitRequest;
import io.kairos.api.v1.RemoveLimitResponse;
import io.kairos.api.v1.SetLimitRequest;
import io.kairos.cli.ScriptedNode.Said;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@code kairos limit}: which words become which request, and what is printed. */
final class LimitCommandTest {
  private static final KeyLimit TENANTS =
      KeyLimit.newBuilder().setName("tenant:*").setMaxRunning(5).setRunning(3).setNames(2).build();

  private final ScriptedNode node = new ScriptedNode();

  @AfterEach
  void stop() {
    node.close();
  }

  @Test
  void a_limit_is_set_with_what_is_given() {
    node.answers(TENANTS);

    assertThat(node.kairos("limit set tenant:* --max-running=5"))
        .isEqualTo(new Said(0, "tenant:*: limited", ""));

    assertThat(node.request(SetLimitRequest.class))
        .isEqualTo(SetLimitRequest.newBuilder().setName("tenant:*").setMaxRunning(5).build());
  }

  @Test
  void limits_are_listed_with_their_use() {
    node.answers(
        ListLimitsResponse.newBuilder()
            .addLimits(
                KeyLimit.newBuilder()
                    .setName("api:stripe")
                    .setPerSecond(50)
                    .setBurst(100)
                    .setWaiting(7)
                    .setNames(1))
            .addLimits(TENANTS)
            .build());

    assertThat(node.kairos("limit list").out())
        .contains("PER SECOND")
        .containsPattern("api:stripe +0 +50\\.0 +100 +7 +1")
        .containsPattern("tenant:\\* +5 +3 +0 +2");
  }

  @Test
  void the_names_of_a_limit_are_listed_page_by_page() {
    node.answers(
        ListLimitUsesResponse.newBuilder()
            .addUses(LimitUse.newBuilder().setName("tenant:a").setRunning(2).setTokens(0.5))
            .setNextPageToken("tenant:a")
            .build(),
        ListLimitUsesResponse.newBuilder()
            .addUses(LimitUse.newBuilder().setName("tenant:b").setWaiting(9))
            .build());

    assertThat(node.kairos("limit show tenant:*").out())
        .containsPattern("tenant:a +2 +0 +0\\.5")
        .containsPattern("tenant:b +0 +9");

    assertThat(node.request(ListLimitUsesRequest.class).getPageSize()).isEqualTo(100);
    assertThat(node.request(ListLimitUsesRequest.class).getPageToken()).isEqualTo("tenant:a");
  }

  @Test
  void a_limit_is_removed() {
    node.answers(RemoveLimitResponse.getDefaultInstance());

    assertThat(node.kairos("limit remove api:stripe --yes"))
        .isEqualTo(new Said(0, "api:stripe: no limit any more", ""));

    assertThat(node.request(RemoveLimitRequest.class).getName()).isEqualTo("api:stripe");
  }
}
