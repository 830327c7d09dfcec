package io.kairos.spring;

import io.kairos.client.AppliedSchedule;
import io.kairos.client.KairosClient;
import io.kairos.client.ScheduleQuery;
import io.kairos.client.ScheduleSpec;
import io.kairos.client.ScheduleStatus;
import io.kairos.client.TaskRequest;
import io.kairos.client.task.TaskId;
import io.kairos.client.worker.Worker;
import java.util.List;
import java.util.function.Supplier;

/** Tasks on the nodes of a server. */
final class ServerMode implements KairosMode {
  private static final int MOST_SCHEDULES = 10_000;

  private final KairosClient client;

  /** Answers soon, also when no node does. */
  private final KairosClient probe;

  private final Supplier<Worker> workers;

  /**
   * @param workers makes the worker when there are handlers
   */
  ServerMode(KairosClient client, KairosClient probe, Supplier<Worker> workers) {
    this.client = client;
    this.probe = probe;
    this.workers = workers;
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
    Worker worker = workers.get();
    for (Registration each : handlers) {
      worker.handle(each.handler(), each.codec(), each.results(), each.code(), each.options());
    }
    worker.start();
    return worker::drain;
  }

  @Override
  public String check() {
    probe.schedules().list(ScheduleQuery.all().limit(1)); // one row
    return "nodes answer";
  }

  /** The client is a bean of its own, which Spring closes. */
  @Override
  public void close() {
    probe.close();
  }
}
