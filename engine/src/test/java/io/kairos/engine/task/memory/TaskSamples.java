package io.kairos.engine.task.memory;

import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.engine.loop.Wakeup;
import io.kairos.engine.task.edge.AnswerCallback;
import io.kairos.engine.task.edge.WorkRequest;
import io.kairos.engine.task.port.EnqueuedTask;
import io.kairos.engine.task.setup.TaskConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tasks, queues, workers and answers for tests of what a node has in memory. */
public final class TaskSamples {
  static final TaskHandler MAIL = new HandlerName("mail");
  static final TaskHandler PRINT = new HandlerName("print");

  private TaskSamples() {}

  static QueueName queue(TaskHandler handler, int priority) {
    return new QueueName(handler, priority);
  }

  /** A task of this number, below 4,096, that may be handed out from that moment on. */
  static EnqueuedTask task(QueueId queue, int number, long triggerMicros, int bytes) {
    return new EnqueuedTask(
        new FencedTask(TaskId.at(0, number, number), 1),
        queue,
        triggerMicros,
        triggerMicros,
        0,
        null,
        TaskDetails.of(new byte[bytes]));
  }

  static WorkRequest request(String worker, int maxTasks, long maxBytes, TaskHandler... handlers) {
    return new WorkRequest(worker, Set.of(handlers), maxTasks, maxBytes, false);
  }

  /** The default but for these bounds. */
  static TaskConfig config(int maxQueued, long maxQueuedBytes, int maxPending, int maxBatch) {
    TaskConfig shipped = TaskConfig.DEFAULT;
    return new TaskConfig(
        shipped.pollInterval(),
        shipped.horizon(),
        maxQueued,
        maxQueuedBytes,
        Duration.ofSeconds(60),
        shipped.lease(),
        shipped.heartbeatInterval(),
        shipped.heartbeatTimeout(),
        shipped.allowedDrift(),
        maxPending,
        shipped.maxPendingBytes(),
        maxBatch,
        shipped.retention());
  }

  /** Remembers what it was answered, and fails the test when it is answered twice. */
  public static final class Heard<T> implements AnswerCallback<T> {
    long room = Long.MAX_VALUE;
    long taken;
    public @Nullable T value;
    public @Nullable RuntimeException failure;

    @Override
    public void answered(T answer) {
      once();
      value = answer;
    }

    @Override
    public void failed(RuntimeException cause) {
      once();
      failure = cause;
    }

    @Override
    public boolean takeRoom(long bytes) {
      taken = bytes <= room ? bytes : taken;
      return bytes <= room;
    }

    public boolean isAnswered() {
      return value != null || failure != null;
    }

    private void once() {
      if (isAnswered()) {
        throw new AssertionError("answered twice, first with " + value + " or " + failure);
      }
    }
  }

  /** Counts its signals; nobody waits. */
  public static final class Signals implements Wakeup {
    public int count;

    @Override
    public void signal() {
      count++;
    }

    @Override
    public void await(Duration atMost) {
      throw new AssertionError("nobody waits here");
    }
  }

  static List<Integer> numbers(List<EnqueuedTask> tasks) {
    List<Integer> numbers = new ArrayList<>();
    tasks.forEach(task -> numbers.add(number(task.task())));
    return numbers;
  }

  /** As it was given to {@link #task}. */
  static int number(FencedTask task) {
    return (int) (task.id().value().getMostSignificantBits() & 0xFFF);
  }
}
