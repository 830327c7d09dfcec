package io.kairos.spring;

import io.kairos.client.AppliedSchedule;
import io.kairos.client.ScheduleSpec;
import io.kairos.client.ScheduleStatus;
import io.kairos.client.TaskRequest;
import io.kairos.client.handler.HandlerOptions;
import io.kairos.client.handler.ResultHandler;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.task.TaskId;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Where the application's tasks are: on the nodes of {@code kairos.address} or the one inside, as
 * {@code kairos.mode} says, unless the application has a bean of this type. Thread-safe. Failures
 * are the {@link io.kairos.client.error.KairosException} of the client.
 */
public interface KairosMode extends AutoCloseable {
  /**
   * Called before all other methods when the application starts, after all of its beans have been
   * made, and again when it was stopped and starts once more.
   *
   * @param handlers names of the handlers that the application has
   */
  default void start(Set<String> handlers) {}

  /** Schedules tasks, all or none, and returns their ids in the same order. */
  List<TaskId> schedule(List<TaskRequest> tasks);

  /** See {@link io.kairos.client.ScheduleClient#apply}. */
  AppliedSchedule apply(ScheduleSpec schedule);

  /** Returns the schedules whose names begin with the prefix, by name, at most 10,000. */
  List<ScheduleStatus> schedules(String prefix);

  /** See {@link io.kairos.client.ScheduleClient#pause}. */
  void pauseSchedule(String name, String note);

  /** See {@link io.kairos.client.ScheduleClient#resume}. */
  void resumeSchedule(String name);

  /**
   * Begins to perform the tasks of these handlers, at least one; called again when the application
   * was stopped and starts once more.
   */
  Performing perform(List<Registration> handlers);

  /**
   * Returns in a few words what has answered. Throws when tasks can neither be scheduled nor
   * performed; within a few seconds.
   */
  String check();

  /** Called once, when nothing is performed any more. */
  @Override
  void close();

  /**
   * One handler of the application.
   *
   * @param results form of what it returns, if it returns something
   */
  record Registration(
      String handler,
      PayloadCodec<Object> codec,
      PayloadCodec<Object> results,
      ResultHandler<Object, Object> code,
      HandlerOptions options) {}

  /** The handlers at work. */
  @FunctionalInterface
  interface Performing {
    /** See {@link io.kairos.client.worker.Worker#drain}. */
    CompletableFuture<Boolean> drain(Duration within);
  }
}
