package io.kairos.spring;

import static java.util.Objects.requireNonNull;

import io.kairos.client.TaskRequest;
import io.kairos.client.handler.HandlerInterceptor;
import io.kairos.client.handler.TaskContext;
import io.kairos.client.task.TaskId;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.ReceiverContext;
import io.micrometer.observation.transport.SenderContext;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Observations of Micrometer: {@code kairos.schedule} around each call of the template, {@code
 * kairos.perform} around each attempt. With a tracer the task carries the trace of its caller.
 */
final class TaskObservations implements HandlerInterceptor, ScheduleObservation {
  private static final String TRACE = "traceparent";
  private static final String HANDLER = "kairos.handler";

  private final ObservationRegistry registry;

  TaskObservations(ObservationRegistry registry) {
    this.registry = registry;
  }

  @Override
  public List<TaskId> schedule(
      List<TaskRequest> tasks, Function<List<TaskRequest>, List<TaskId>> call) {
    SenderContext<Map<String, String>> context =
        new SenderContext<>(
            (carrier, key, value) -> {
              if (carrier != null) {
                carrier.put(key, value);
              }
            },
            Kind.PRODUCER);
    Map<String, String> headers = new HashMap<>();
    context.setCarrier(headers);
    List<String> targets = tasks.stream().map(TaskRequest::target).distinct().toList();
    String target = targets.size() == 1 ? targets.get(0) : "several";
    Observation observation =
        Observation.createNotStarted("kairos.schedule", () -> context, registry)
            .contextualName("schedule " + target)
            .lowCardinalityKeyValue(HANDLER, target);
    return requireNonNull(
        observation.observe(
            () -> call.apply(tasks.stream().map(task -> traced(task, headers)).toList())));
  }

  private static TaskRequest traced(TaskRequest task, Map<String, String> headers) {
    String trace = headers.get(TRACE);
    return trace == null || task.traceparent().isPresent() ? task : task.withTraceparent(trace);
  }

  @Override
  public void perform(TaskContext task, Attempt attempt) throws Exception {
    ReceiverContext<TaskContext> context =
        new ReceiverContext<>(
            (carrier, key) -> key.equals(TRACE) ? carrier.traceparent().orElse(null) : null,
            Kind.CONSUMER);
    context.setCarrier(task);
    Observation.createNotStarted("kairos.perform", () -> context, registry)
        .contextualName("perform " + task.handler())
        .lowCardinalityKeyValue(HANDLER, task.handler())
        .highCardinalityKeyValue("kairos.task.id", task.taskId().toString())
        .highCardinalityKeyValue("kairos.attempt", Integer.toString(task.attempt()))
        .observeChecked(() -> attempt.perform(task));
  }
}
