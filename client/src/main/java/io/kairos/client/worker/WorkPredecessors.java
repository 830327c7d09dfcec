package io.kairos.client.worker;

import io.kairos.api.v1.Task;
import io.kairos.api.v1.Work;
import io.kairos.client.encryption.MessageEncryption;
import io.kairos.client.task.Predecessor;
import io.kairos.client.task.TaskId;
import io.kairos.client.task.TaskResult;
import io.kairos.client.task.TaskState;
import java.util.ArrayList;
import java.util.List;

/** Reads what a task has waited for from its work. */
final class WorkPredecessors {
  private WorkPredecessors() {}

  static List<Predecessor> of(Work work, MessageEncryption encryption) {
    List<Predecessor> all = new ArrayList<>(work.getPredecessorsCount());
    for (Work.Predecessor wire : work.getPredecessorsList()) {
      all.add(
          new Predecessor(
              TaskId.of(wire.getId()),
              wire.getHandler(),
              state(wire.getState()),
              wire.getBatch(),
              wire.hasResult() ? () -> result(wire, encryption) : null,
              wire.getResultBytes()));
    }
    return List.copyOf(all);
  }

  private static TaskResult result(Work.Predecessor wire, MessageEncryption encryption) {
    byte[] stored = wire.getResult().getValue().toByteArray();
    return TaskResult.of(
        encryption.decryptedResult(wire.getHandler(), wire.getId(), stored),
        wire.getResult().getContentType());
  }

  private static TaskState state(Task.State wire) {
    return switch (wire) {
      case STATE_UNSPECIFIED, UNRECOGNIZED -> TaskState.OTHER;
      default -> TaskState.valueOf(wire.name());
    };
  }
}
