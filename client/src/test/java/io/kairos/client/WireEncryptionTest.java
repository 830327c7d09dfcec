package io.kairos.client;

import static io.kairos.client.encryption.TestKeys.line;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.client.encryption.EncryptedPayloads;
import io.kairos.client.encryption.TestKeys;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class WireEncryptionTest {
  private static final byte[] CANARY = "canary of Anna".getBytes(UTF_8);

  private final EncryptedPayloads payloads = TestKeys.payloads(line("k1", 1));

  @Test
  void payloads_of_the_steps_of_a_schedule_are_encrypted_and_stay_when_they_are_the_same() {
    WireEncryption messages = WireEncryption.of(payloads);
    io.kairos.api.v1.Schedule plain =
        ScheduleSpec.named("nightly").every(Duration.ofHours(1)).graph(graph()).build().wire();

    io.kairos.api.v1.Schedule stored = messages.encrypted(plain);

    assertThat(stored.toByteString().toString(ISO_8859_1)).doesNotContain("canary");
    assertThat(messages.decrypted(stored)).isEqualTo(plain);
    assertThat(messages.encrypted(plain, stored)).isEqualTo(stored);
    assertThat(
            messages
                .encrypted(plain.toBuilder().clearTarget().clearEvery().build(), List.of("steps"))
                .getSteps(0)
                .getTarget()
                .getPayload())
        .isNotEqualTo(plain.getSteps(0).getTarget().getPayload());
  }

  private static Graph graph() {
    Graph graph = new Graph();
    Graph.Step load = graph.add(TaskRequest.to("load").payload(CANARY).build());
    graph.add(TaskRequest.to("mail").payload(CANARY).build()).after(load);
    return graph;
  }
}
