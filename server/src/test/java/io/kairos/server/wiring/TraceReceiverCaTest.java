package io.kairos.server.wiring;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.api.tls.UnusableTlsException;
import io.kairos.contracts.certificate.TestCertificate;
import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.domain.task.TaskId;
import io.kairos.server.config.TracingConfig;
import io.kairos.server.trace.NodeSpans;
import io.kairos.server.wiring.TraceReceiver.Received;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A receiver of traces whose certificate is from a CA that only {@code tracing.otlp.ca} names. */
class TraceReceiverCaTest {
  private static final TestCertificate CA = TestCertificate.authority("a CA of our own");

  @TempDir private Path folder;

  private static NodeSpans open(TraceReceiver receiver, Path ca) {
    return open(receiver, ca, new SimpleMeterRegistry());
  }

  private static NodeSpans open(TraceReceiver receiver, Path ca, MeterRegistry registry) {
    return NodeSpans.open(
        new TracingConfig(Optional.of(URI.create(receiver.url())), List.of(), Optional.of(ca), 1),
        new NodeSpans.Sender("1", new UUID(1, 1), Instant.parse("2030-01-01T00:00:00Z")),
        registry);
  }

  private static void fire(NodeSpans spans) {
    requireNonNull(
            spans
                .runs()
                .firing(
                    new ScheduleName("nightly"),
                    Instant.EPOCH,
                    new TaskId(UUID.fromString("01890000-0000-7000-8000-000000000001")),
                    1_000))
        .stored(2_000);
  }

  @Test
  void spans_are_sent_to_a_receiver_of_a_ca_that_is_named() throws Exception {
    MeterRegistry registry = new SimpleMeterRegistry();
    try (TraceReceiver receiver = TraceReceiver.startByTls(CA.sign("r", "ip:127.0.0.1"))) {
      Path ca = CA.writeCertificate(folder.resolve("ca.crt"));
      Files.writeString(ca, Files.readString(ca) + "\n# a comment\n");
      try (NodeSpans spans = open(receiver, ca, registry)) {
        fire(spans);

        assertThat(receiver.await(1, _ -> true))
            .extracting(Received::name)
            .containsExactly("fire nightly");
      }
    }
    assertThat(registry.get("kairos.tracing.spans.lost").counter().count()).isZero();
  }

  @Test
  void a_file_that_cannot_be_used_is_refused_with_its_setting() throws Exception {
    try (TraceReceiver receiver = TraceReceiver.startByTls(CA.sign("r", "ip:127.0.0.1"))) {
      Path empty = Files.createFile(folder.resolve("empty.crt"));
      Path expired =
          TestCertificate.selfSigned(Instant.parse("2029-01-01T00:00:00Z"), "old")
              .writeCertificate(folder.resolve("old.crt"));

      assertThatThrownBy(() -> open(receiver, folder.resolve("none")))
          .isInstanceOf(UnusableTlsException.class)
          .hasMessageContaining("tracing.otlp.ca");
      assertThatThrownBy(() -> open(receiver, empty)).hasMessageContaining("has no certificate");
      assertThatThrownBy(() -> open(receiver, expired)).hasMessageContaining("expired");
    }
  }
}
