package io.kairos.server.trace;

import io.kairos.engine.trace.MessageSpans;
import io.kairos.engine.trace.RunSpans;
import io.kairos.engine.trace.TaskSpans;
import io.kairos.push.PushSpans;
import io.kairos.server.config.TracingConfig;
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
   * Returns the listeners for a configuration: those that want nothing where no receiver is named.
   *
   * @param version version of this program, which spans name
   * @param instance id of this process, which spans name
   */
  public static NodeSpans open(TracingConfig config, String version, UUID instance) {
    return config
        .endpoint()
        .map(to -> OtlpSending.open(config, to, version, instance))
        .orElse(NONE);
  }

  @Override
  public void close() {
    ending.run();
  }
}
