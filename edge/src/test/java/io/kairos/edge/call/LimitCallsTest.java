package io.kairos.edge.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kairos.api.v1.KeyLimit;
import io.kairos.api.v1.LimitServiceGrpc;
import io.kairos.api.v1.LimitServiceGrpc.LimitServiceBlockingStub;
import io.kairos.api.v1.ListLimitsRequest;
import io.kairos.api.v1.RemoveLimitRequest;
import io.kairos.api.v1.SetLimitRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Calls about limits by key, by both doors. */
class LimitCallsTest {
  @RegisterExtension static final Edge EDGE = new Edge();
  private static final ObjectMapper JSON = new ObjectMapper();

  private final LimitServiceBlockingStub grpc = LimitServiceGrpc.newBlockingStub(EDGE.channel);

  private KeyLimit set(String name, int most) {
    return grpc.setLimit(SetLimitRequest.newBuilder().setName(name).setMaxRunning(most).build());
  }

  @Test
  void a_limit_is_set_shown_listed_and_removed() throws Exception {
    assertThat(set("tenant:*", 5))
        .isEqualTo(KeyLimit.newBuilder().setName("tenant:*").setMaxRunning(5).build());
    KeyLimit rated =
        grpc.setLimit(
            SetLimitRequest.newBuilder().setName("a/b").setPerSecond(2.5).setBurst(7).build());
    assertThat(rated.hasMaxRunning()).isFalse();

    JsonNode shown = JSON.readTree(EDGE.get("/v1/limits/a%2Fb").body());
    assertThat(shown.path("perSecond").asDouble()).isEqualTo(2.5);
    assertThat(shown.path("burst").asInt()).isEqualTo(7);
    assertThat(EDGE.get("/v1/limits/tenant:*").statusCode()).isEqualTo(200);
    assertThat(EDGE.get("/v1/limits/tenant:*/uses").statusCode()).isEqualTo(200);
    assertThat(
            grpc.listLimits(ListLimitsRequest.getDefaultInstance()).getLimitsList().stream()
                .map(KeyLimit::getName))
        .contains("a/b", "tenant:*");

    grpc.removeLimit(RemoveLimitRequest.newBuilder().setName("a/b").build());
    grpc.removeLimit(RemoveLimitRequest.newBuilder().setName("tenant:*").build());

    assertThat(EDGE.get("/v1/limits/a%2Fb").statusCode()).isEqualTo(404);
    assertThatThrownBy(
            () -> grpc.removeLimit(RemoveLimitRequest.newBuilder().setName("a/b").build()))
        .hasMessageContaining("NOT_FOUND: name: there is no limit of just this name or pattern");
  }
}
