package io.kairos.examples;

import io.kairos.client.KairosClient;
import io.kairos.client.TaskRequest;
import io.kairos.client.opentelemetry.KairosTelemetry;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.task.TaskId;
import io.kairos.client.worker.Worker;
import io.opentelemetry.api.OpenTelemetry;
import java.util.function.Consumer;

/**
 * Schedules and performs tasks in one trace: of whoever calls {@link #schedule}, of the node, and
 * of each attempt.
 */
public final class TracedTasks implements AutoCloseable {
  private final KairosClient kairos;
  private final Worker worker;

  /**
   * Starts the worker.
   *
   * @param openTelemetry the SDK, or {@code GlobalOpenTelemetry.get()} under the agent
   */
  TracedTasks(OpenTelemetry openTelemetry, Consumer<String> invoices, String... nodes) {
    KairosTelemetry telemetry = KairosTelemetry.create(openTelemetry);
    kairos = KairosClient.builder(nodes).intercept(telemetry).build();
    worker = Worker.builder(nodes).intercept(telemetry).build();
    worker.handle("invoice", PayloadCodec.utf8(), (order, context) -> invoices.accept(order));
    worker.start();
  }

  TaskId schedule(String order) {
    return kairos.schedule(TaskRequest.to("invoice").payload(order).build());
  }

  @Override
  public void close() {
    worker.close();
    kairos.close();
  }
}
