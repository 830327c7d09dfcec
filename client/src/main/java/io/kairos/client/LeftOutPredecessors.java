package io.kairos.client;

import io.kairos.api.v1.GetTaskRequest;
import io.kairos.client.batch.BatchId;
import io.kairos.client.batch.BatchStatus;
import io.kairos.client.encryption.MessageEncryption;
import io.kairos.client.encryption.PayloadTarget;
import io.kairos.client.error.TaskNotFoundException;
import io.kairos.client.handler.TaskContext;
import io.kairos.client.task.Predecessor;
import io.kairos.client.task.TaskGraph;
import io.kairos.client.task.TaskId;
import io.kairos.client.task.TaskResult;
import io.kairos.client.task.TaskState;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Asks nodes for what had no room beside a task of what it has waited for. Thread-safe. */
final class LeftOutPredecessors {
  private final KairosClient client;
  private final MessageEncryption encryption;

  LeftOutPredecessors(KairosClient client, MessageEncryption encryption) {
    this.client = client;
    this.encryption = encryption;
  }

  List<Predecessor> whole(TaskContext context) {
    List<Predecessor> all = new ArrayList<>();
    Set<TaskId> given = new HashSet<>();
    for (Predecessor one : context.predecessors()) {
      given.add(one.id());
      all.add(one.isResultLeftOut() ? task(one.id()) : one);
    }
    if (context.hasMorePredecessors()) {
      TaskGraph graph = client.graph(context.taskId());
      if (graph.more()) {
        throw new IllegalStateException(
            "the graph of the task has more tasks than a node shows, so not all predecessors can be"
                + " asked for; let the tasks join a batch, and list these");
      }
      graph.edges().stream()
          .filter(edge -> edge.successor().equals(context.taskId()))
          .map(TaskGraph.Edge::predecessor)
          .filter(given::add)
          .map(this::any)
          .forEach(all::add);
    }
    return List.copyOf(all);
  }

  private Predecessor task(TaskId id) {
    GetTaskRequest request = GetTaskRequest.newBuilder().setId(id.toString()).build();
    io.kairos.api.v1.Task task = client.call(io.kairos.api.v1.Task.class, request);
    TaskResult stored = TaskProtos.result(task);
    return new Predecessor(
        id,
        task.getHandler(),
        TaskProtos.state(task.getState()),
        false,
        stored == null
            ? null
            : () ->
                TaskResult.of(
                    encryption.decryptedResult(
                        PayloadTarget.handler(task.getHandler()), id.toString(), stored.value()),
                    stored.contentType()),
        stored == null ? 0 : stored.bytes());
  }

  /** A task or a batch; one that is in the history no more has neither handler nor state. */
  private Predecessor any(TaskId id) {
    try {
      return task(id);
    } catch (TaskNotFoundException e) {
      return batch(id);
    }
  }

  private Predecessor batch(TaskId id) {
    try {
      BatchStatus batch = client.batches().get(BatchId.of(id.toString()));
      TaskState end = batch.state();
      return new Predecessor(
          id, batch.handler(), end == null ? TaskState.OTHER : end, true, null, 0);
    } catch (TaskNotFoundException e) {
      return new Predecessor(id, "", TaskState.OTHER, false, null, 0);
    }
  }
}
