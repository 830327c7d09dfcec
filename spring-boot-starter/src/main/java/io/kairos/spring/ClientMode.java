package io.kairos.spring;

import io.kairos.client.AppliedSchedule;
import io.kairos.client.KairosClient;
import io.kairos.client.ScheduleQuery;
import io.kairos.client.ScheduleSpec;
import io.kairos.client.ScheduleStatus;
import io.kairos.client.TaskRequest;
import io.kairos.client.task.TaskId;
import io.kairos.client.worker.Worker;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** Tasks on nodes, by the client and the worker: nodes of a server, or the one inside. */
final class ClientMode implements KairosMode {
  private static final int MOST_SCHEDULES = 10_000;

  private final KairosClient client;
  private final Nodes nodes;

  /** Answers soon, also when no node does. */
  private final KairosClient probe;

  private final Consumer<Worker.Builder> settings;

  /**
   * @param settings of the worker, which is made when there are handlers
   */
  ClientMode(KairosClient client, Nodes nodes, Consumer<Worker.Builder> settings) {
    this.client = client;
    this.nodes = nodes;
    this.probe = nodes.client().attempts(1).callTimeout(Duration.ofSeconds(2)).build();
    this.settings = settings;
  }

  @Override
  public void start(Set<String> handlers) {
    nodes.start(handlers);
  }

  @Override
  public List<TaskId> schedule(List<TaskRequest> tasks) {
    return client.schedule(tasks);
  }

  @Override
  public AppliedSchedule apply(ScheduleSpec schedule) {
    return client.schedules().apply(schedule);
  }

  @Override
  public List<ScheduleStatus> schedules(String prefix) {
    return client.schedules().list(ScheduleQuery.all().prefix(prefix).limit(MOST_SCHEDULES));
  }

  @Override
  public void pauseSchedule(String name, String note) {
    client.schedules().pause(name, note);
  }

  @Override
  public void resumeSchedule(String name) {
    client.schedules().resume(name);
  }

  @Override
  public Performing perform(List<Registration> handlers) {
    Worker.Builder builder = nodes.worker();
    settings.accept(builder);
    Worker worker = builder.build();
    for (Registration each : handlers) {
      worker.handle(each.handler(), each.codec(), each.results(), each.code(), each.options());
    }
    worker.start();
    return worker::drain;
  }

  @Override
  public String check() {
    probe.schedules().list(ScheduleQuery.all().limit(1)); // one row
    return nodes.answered();
  }

  /** The client and the nodes are beans of their own, which Spring closes. */
  @Override
  public void close() {
    probe.close();
  }
}
