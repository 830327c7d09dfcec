package io.kairos.spring;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/** The endpoint {@code kairos}: the handlers and schedules of the application, without payloads. */
@Endpoint(id = "kairos")
public final class KairosEndpoint {
  private final TaskMethods methods;
  private final ScheduleReconciler schedules;

  KairosEndpoint(TaskMethods methods, ScheduleReconciler schedules) {
    this.methods = methods;
    this.schedules = schedules;
  }

  /**
   * The application's tasks.
   *
   * @param handlers by name, where each is
   * @param schedules by their names on the nodes, where each is
   * @param removedSchedules names of those that the application does not declare any more
   */
  public record Description(
      Map<String, String> handlers, Map<String, String> schedules, List<String> removedSchedules) {}

  /** Returns what the application has. */
  @ReadOperation
  public Description tasks() {
    Map<String, String> handlers = new TreeMap<>();
    methods.handlers().forEach(each -> handlers.put(each.name(), each.place()));
    Map<String, String> rules = new TreeMap<>();
    methods.schedules().forEach(each -> rules.put(schedules.fullName(each), each.place()));
    return new Description(handlers, rules, schedules.removed());
  }
}
