package io.kairos.spring;

import io.kairos.client.AppliedSchedule;
import io.kairos.client.ScheduleSpec;
import io.kairos.client.ScheduleStatus;
import io.kairos.client.TaskRequest;
import io.kairos.client.task.TaskId;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A mode that notes what it is asked for. */
record NotedMode(List<String> calls) implements KairosMode {
  @Override
  public List<TaskId> schedule(List<TaskRequest> tasks) {
    calls.add("schedule " + tasks.size());
    return Collections.nCopies(tasks.size(), TaskId.of("01890a5d-ac96-774b-bcce-b302099a8057"));
  }

  @Override
  public AppliedSchedule apply(ScheduleSpec schedule) {
    calls.add("apply " + schedule.name());
    return new AppliedSchedule(
        AppliedSchedule.Outcome.CREATED,
        new ScheduleStatus(
            schedule,
            ScheduleStatus.State.ACTIVE,
            "",
            Instant.EPOCH,
            "",
            null,
            List.of(),
            List.of(),
            null,
            Instant.EPOCH,
            1,
            ""),
        List.of());
  }

  @Override
  public List<ScheduleStatus> schedules(String prefix) {
    return List.of();
  }

  @Override
  public void pauseSchedule(String name, String note) {
    calls.add("pause " + name);
  }

  @Override
  public void resumeSchedule(String name) {
    calls.add("resume " + name);
  }

  @Override
  public Performing perform(List<Registration> handlers) {
    calls.add("perform " + handlers.stream().map(Registration::handler).toList());
    return within -> {
      calls.add("drain");
      return CompletableFuture.completedFuture(true);
    };
  }

  @Override
  public String check() {
    return "noted";
  }

  @Override
  public void close() {
    calls.add("close");
  }
}
