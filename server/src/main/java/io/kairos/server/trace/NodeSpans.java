package io.kairos.server.trace;

import io.kairos.engine.trace.MessageSpans;
import io.kairos.engine.trace.RunSpans;
import io.kairos.engine.trace.TaskSpans;
import io.kairos.push.PushSpans;
import io.kairos.server.config.TracingConfig;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Instant;
import java.util.UUID;

/**
 * The listeners of a node that make spans. Knows nothing of OpenTelemetry, so that no class of it
 * is loaded while traces are off.
 *
 * @param ending sends what is left, and ends the sending
 */
public record NodeSpans(
    TaskSpans tasks, RunSpans runs, PushSpans pushes, MessageSpans messages, Runnable ending)
    implements AutoCloseable {
  private static final NodeSpans NONE =
      new NodeSpans(TaskSpans.NONE, RunSpans.NONE, PushSpans.NONE, MessageSpans.NONE, () -> {});

  /**
   * The process that sends spans.
   *
   * @param version version of this program, which spans name
   * @param instance id of this process, which spans name
   * @param now the time of its start, by which certificates are valid
   */
  public record Sender(String version, UUID instance, Instant now) {}

  /**
   * Returns the listeners for a configuration: those that want nothing where no receiver is named.
   *
   * @throws io.kairos.api.tls.UnusableTlsException when the CA of the receiver cannot be used
   */
  public static NodeSpans open(TracingConfig config, Sender sender, MeterRegistry registry) {
    Counter lost =
        Counter.builder("kairos.tracing.spans.lost")
            .description("Spans that were not sent to the receiver of traces")
            .register(registry);
    return config
        .endpoint()
        .map(to -> OtlpSending.open(config, to, sender, lost::increment))
        .orElse(NONE);
  }

  @Override
  public void close() {
    ending.run();
  }
}
