package io.kairos.contracts;

import static io.kairos.domain.task.TaskEvent.BLOCK;
import static io.kairos.domain.task.TaskEvent.CANCEL;
import static io.kairos.domain.task.TaskEvent.CLAIM;
import static io.kairos.domain.task.TaskEvent.ENQUEUE;
import static io.kairos.domain.task.TaskEvent.EXHAUST;
import static io.kairos.domain.task.TaskEvent.FAIL;
import static io.kairos.domain.task.TaskEvent.PAUSE;
import static io.kairos.domain.task.TaskEvent.PREDECESSOR_FAILED;
import static io.kairos.domain.task.TaskEvent.READY;
import static io.kairos.domain.task.TaskEvent.RETRY;
import static io.kairos.domain.task.TaskEvent.SUCCEED;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.OrderingKeyId;
import io.kairos.domain.task.OrderingKeyPolicy;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskEvent;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskIdempotency;
import io.kairos.domain.task.TaskLife;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.graph.GraphEdge;
import io.kairos.domain.task.graph.OnFailure;
import io.kairos.domain.task.queue.CollectionName;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.engine.task.port.ArrivingTask;
import io.kairos.engine.task.port.EnqueuedTask;
import io.kairos.engine.task.port.InsertRequest;
import io.kairos.engine.task.port.InsertResult;
import io.kairos.engine.task.port.NewTask;
import io.kairos.engine.task.port.Settlement;
import io.kairos.engine.task.port.TaskClaim;
import io.kairos.engine.task.port.TaskHolder;
import io.kairos.engine.task.port.operator.RedriveRequest;
import io.kairos.engine.task.port.operator.TaskPause;
import io.kairos.engine.task.port.operator.TaskView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A task store changes a task, in each state and by each call, as {@link TaskLife} says: to the
 * next state where the event can happen, and not at all elsewhere.
 */
public abstract class TaskLifeContract extends TaskContract {
  private static final CollectionName COLLECTION = new CollectionName("collection");
  private static final OrderingKey KEY = new OrderingKey("key");
  private static final Duration TO_THE_DEADLINE = LONG.multipliedBy(8);
  private static final OrderingKeyPolicy TOGETHER =
      new OrderingKeyPolicy(new OrderingKeyPolicy.Parallel(10), null);

  /**
   * The way to a state.
   *
   * @param isAwaiting true if the task is accepted with a predecessor that has not ended
   */
  private record Path(boolean isAwaiting, List<TaskEvent> events) {
    static Path of(TaskEvent... events) {
      return new Path(false, List.of(events));
    }

    static Path awaiting(TaskEvent... events) {
      return new Path(true, List.of(events));
    }

    TaskLife accepted() {
      return isAwaiting ? TaskLife.ACCEPTED_AWAITING : TaskLife.ACCEPTED;
    }
  }

  /** Paths to a state; each ends in another state, or with more attempts. */
  private static final List<Path> PATHS =
      List.of(
          Path.of(),
          Path.of(ENQUEUE),
          Path.of(ENQUEUE, CLAIM),
          Path.of(ENQUEUE, CLAIM, CANCEL),
          Path.of(ENQUEUE, CLAIM, RETRY),
          Path.of(ENQUEUE, CLAIM, RETRY, ENQUEUE),
          Path.of(ENQUEUE, CLAIM, RETRY, ENQUEUE, CLAIM),
          Path.of(ENQUEUE, CLAIM, RETRY, ENQUEUE, CLAIM, CANCEL),
          Path.of(ENQUEUE, BLOCK),
          Path.of(ENQUEUE, CLAIM, RETRY, ENQUEUE, BLOCK),
          Path.of(PAUSE),
          Path.of(ENQUEUE, PAUSE),
          Path.of(ENQUEUE, CLAIM, RETRY, PAUSE),
          Path.of(ENQUEUE, CLAIM, SUCCEED),
          Path.of(ENQUEUE, CLAIM, FAIL),
          Path.of(ENQUEUE, CLAIM, EXHAUST),
          Path.of(CANCEL),
          Path.awaiting(),
          Path.awaiting(READY),
          Path.awaiting(PREDECESSOR_FAILED));

  /** The calls that could make an event happen; but for a few each event has one. */
  private enum Way {
    ENQUEUE(TaskEvent.ENQUEUE),
    RELEASE(TaskEvent.RELEASE),
    RELEASE_BY_A_DEPARTED_NODE(TaskEvent.RELEASE),
    RELEASE_BEHIND_A_PAUSED_HANDLER(TaskEvent.RELEASE),
    RELEASE_AFTER_TOO_LONG(TaskEvent.RELEASE, LONG),
    CLAIM(TaskEvent.CLAIM),
    HEARTBEAT(TaskEvent.HEARTBEAT),
    SUCCEED(TaskEvent.SUCCEED),
    FAIL(TaskEvent.FAIL),
    EXHAUST(TaskEvent.EXHAUST),
    EXHAUST_BY_A_LAPSE(TaskEvent.EXHAUST, LONG),
    RETRY(TaskEvent.RETRY),
    RETRY_AFTER_A_LAPSE(TaskEvent.RETRY, LONG),
    STOP(TaskEvent.STOP),
    NOT_BEGUN(TaskEvent.NOT_BEGUN),
    SNOOZE(TaskEvent.SNOOZE),
    BLOCK(TaskEvent.BLOCK),
    UNBLOCK(TaskEvent.UNBLOCK),
    READY(TaskEvent.READY),
    PREDECESSOR_FAILED(TaskEvent.PREDECESSOR_FAILED),
    PAUSE(TaskEvent.PAUSE),
    RESUME(TaskEvent.RESUME),
    CANCEL(TaskEvent.CANCEL),
    CANCEL_OF_A_PREDECESSOR(TaskEvent.CANCEL),
    RESCHEDULE(TaskEvent.RESCHEDULE),
    REPLACE(TaskEvent.REPLACE),
    DROP(TaskEvent.DROP),
    SKIP(TaskEvent.SKIP),
    HURRY(TaskEvent.HURRY),
    REDRIVE(TaskEvent.REDRIVE),
    /** Comes last, because it ends every task that no worker performs. */
    EXPIRE(TaskEvent.EXPIRE, TO_THE_DEADLINE.plus(LONG));

    final TaskEvent event;

    /** The time that must pass before the event. */
    final Duration takes;

    Way(TaskEvent event) {
      this(event, Duration.ZERO);
    }

    Way(TaskEvent event, Duration takes) {
      this.event = event;
      this.takes = takes;
    }

    /** The way that needs nothing but the event. */
    static Way of(TaskEvent event) {
      return valueOf(event.name());
    }
  }

  private int lastNumber;

  @Test
  void what_can_happen_to_a_task_brings_it_where_the_table_of_its_life_says() {
    for (Way way : Way.values()) {
      List<Subject> subjects = new ArrayList<>();
      for (Path path : PATHS) {
        if (lifeAfter(path).after(way.event).isPresent() && canGo(path, way)) {
          subjects.add(new Subject(path, way));
        }
      }
      letPass(way.takes);
      for (Subject subject : subjects) {
        subject.undergo(way);
        subject.life = subject.life.after(way.event).orElseThrow();
        subject.assertIsThere(way + " after " + subject.path);
      }
    }
  }

  @Test
  void what_cannot_happen_to_a_task_leaves_it_as_it_is() {
    List<Subject> subjects = PATHS.stream().map(path -> new Subject(path, Way.CLAIM)).toList();
    for (Way way : Way.values()) {
      if (way == Way.EXPIRE) {
        subjects.forEach(subject -> subject.assertIsThere("after " + subject.path));
      }
      letPass(way.takes);
      for (Subject one : subjects) {
        if (one.life.after(way.event).isEmpty()) {
          Subject subject = way == Way.REPLACE ? new Subject(one.path, way) : one;
          TaskView before = view(subject.id);
          subject.undergo(way);
          assertThat(view(subject.id))
              .as(way + " after " + subject.path)
              .usingRecursiveComparison()
              .isEqualTo(before);
          if (way == Way.PAUSE && before.state() != TaskState.PAUSED) {
            subject.openGate();
          }
        }
      }
    }
  }

  private void letPass(Duration duration) {
    if (duration.isPositive()) {
      stores.letPass(duration);
    }
  }

  /**
   * Only a task that awaits a predecessor is cancelled with it; and a task that has failed with its
   * predecessor awaits it again when it is put back.
   */
  private static boolean canGo(Path path, Way way) {
    return switch (way) {
      case CANCEL_OF_A_PREDECESSOR -> lifeAfter(path).equals(TaskLife.ACCEPTED_AWAITING);
      case REDRIVE -> !path.isAwaiting();
      default -> true;
    };
  }

  private static TaskLife lifeAfter(Path path) {
    TaskLife life = path.accepted();
    for (TaskEvent event : path.events()) {
      life = life.after(event).orElseThrow();
    }
    return life;
  }

  /** A task with a handler of its own, and what has been done to it. */
  private final class Subject {
    final Path path;
    final TaskId id = newId();
    final TaskIdempotency idempotency;
    final NodeId node = new NodeId(new UUID(3, ++lastNumber));
    final HandlerName handler;
    final QueueId queue;
    TaskLife life;
    private @Nullable FencedTask predecessor;
    private @Nullable OrderingKeyId keyId;
    private @Nullable FencedTask before;

    /** A task that has come this path, ready for the next event. */
    Subject(Path path, Way next) {
      this.path = path;
      life = path.accepted();
      handler = new HandlerName("life-" + lastNumber);
      queue = queue(new QueueName(handler, 50));
      idempotency =
          new TaskIdempotency(
              "key", new TaskIdempotency.Window.Forever(), TaskIdempotency.OnConflict.REPLACE);
      TaskDetails details =
          TaskDetails.of(new byte[] {1})
              .withCollection(COLLECTION)
              // which keeps it from being replaced
              .withKey(next == Way.REPLACE && !path.events().contains(BLOCK) ? null : KEY)
              .withStartDeadline(micros(TO_THE_DEADLINE.toSeconds()));
      insert(new NewTask(id, queue, micros(-60), details, null), awaited(path.isAwaiting()));
      for (TaskEvent event : path.events()) {
        undergo(Way.of(event));
        life = life.after(event).orElseThrow();
      }
    }

    private InsertResult insert(NewTask task, List<GraphEdge> edges) {
      return tasks
          .insert(
              NODE,
              List.of(
                  new InsertRequest(List.of(new ArrivingTask(task, false, idempotency)), edges)),
              ENQUEUE_TIMEOUT)
          .getFirst();
    }

    /** The edge from a predecessor that a worker performs, if there is to be one. */
    private List<GraphEdge> awaited(boolean isAwaiting) {
      if (!isAwaiting) {
        return List.of();
      }
      NewTask first =
          task(queue(new QueueName(handler, 70)), micros(-120), TaskDetails.of(new byte[] {4}));
      EnqueuedTask enqueued = onQueue(first);
      TaskClaim claim = new TaskClaim(enqueued.task(), first.queue(), OTHER_WORKER, null);
      assertThat(tasks.claim(List.of(claim), LEASE).claimed()).containsExactly(enqueued.task());
      predecessor = enqueued.task().next();
      return List.of(new GraphEdge(first.id(), id, OnFailure.FAIL));
    }

    /** A success reaches the successor at once, another end by the next step. */
    private void endPredecessor(TaskState end) {
      FencedTask held = predecessor;
      if (held != null) {
        settle(finish(held, end));
        tasks.followEnds(MANY);
      }
    }

    private FencedTask fenced() {
      return new FencedTask(id, life.fence());
    }

    void undergo(Way way) {
      switch (way) {
        case ENQUEUE -> enqueue();
        case RELEASE -> tasks.release(List.of(fenced()), ENQUEUE_TIMEOUT);
        case RELEASE_AFTER_TOO_LONG -> reap(new Settlement.Requeue(fenced()));
        case RELEASE_BY_A_DEPARTED_NODE -> tasks.releaseHeldBy(Set.of(node), ENQUEUE_TIMEOUT, MANY);
        case RELEASE_BEHIND_A_PAUSED_HANDLER -> {
          tasks.setPause(new TaskPause(handler, null, TaskPause.Mode.PAUSE, null, ""));
          claim();
          assertThat(tasks.endPause(handler, null)).isTrue();
        }
        case CLAIM -> claim();
        case HEARTBEAT -> beat(fenced());
        case SUCCEED -> settle(finish(fenced(), TaskState.SUCCEEDED));
        case FAIL -> settle(finish(fenced(), TaskState.FAILED));
        case EXHAUST -> settle(finish(fenced(), TaskState.DEAD));
        case EXHAUST_BY_A_LAPSE -> reap(new Settlement.Finish(fenced(), TaskState.DEAD, "lapsed"));
        case RETRY -> settle(retry(fenced()));
        case RETRY_AFTER_A_LAPSE -> reap(new Settlement.Retry(fenced(), Duration.ZERO, "lapsed"));
        case STOP -> settle(finish(fenced(), TaskState.CANCELLED));
        case NOT_BEGUN -> settle(new Settlement.NotBegun(fenced()));
        case SNOOZE -> settle(new Settlement.Snooze(fenced(), Duration.ZERO));
        case BLOCK -> {
          beginAnotherOfTheKey();
          claim();
        }
        case READY -> endPredecessor(TaskState.SUCCEEDED);
        case PREDECESSOR_FAILED -> endPredecessor(TaskState.DEAD);
        case CANCEL_OF_A_PREDECESSOR -> endPredecessor(TaskState.CANCELLED);
        case UNBLOCK -> settle(finish(beginAnotherOfTheKey(), TaskState.SUCCEEDED));
        case PAUSE -> {
          closeGate(TaskPause.Mode.PAUSE);
          enqueue();
          claim();
        }
        case RESUME -> {
          closeGate(TaskPause.Mode.PAUSE);
          openGate();
          tasks.applyPauses(MANY);
        }
        case CANCEL -> tasks.cancel(id);
        case RESCHEDULE -> tasks.reschedule(id, micros(-30));
        case REPLACE -> insert(task(queue, micros(-30), TaskDetails.of(new byte[] {2})), List.of());
        case DROP -> {
          closeGate(TaskPause.Mode.DROP);
          tasks.applyPauses(MANY);
          openGate();
        }
        case EXPIRE -> tasks.expire(BELIEVED, MANY);
        case SKIP -> tasks.skipHead(handler, KEY);
        case HURRY -> tasks.retryHead(handler, KEY);
        case REDRIVE ->
            tasks.redrive(
                new RedriveRequest(new RedriveRequest.Ids(List.of(id)), null, Duration.ZERO, MANY));
      }
    }

    private List<EnqueuedTask> enqueue() {
      List<EnqueuedTask> enqueued =
          TaskLifeContract.this.enqueue(node, Map.of(queue, MANY), PLENTY_BYTES, Duration.ZERO);
      enqueued.forEach(task -> keyId = task.keyId());
      return enqueued;
    }

    private void claim() {
      tasks.claim(List.of(new TaskClaim(fenced(), queue, WORKER, keyId)), LEASE);
    }

    private void closeGate(TaskPause.Mode mode) {
      tasks.setPause(new TaskPause(handler, COLLECTION, mode, null, ""));
    }

    private void openGate() {
      tasks.endPause(handler, COLLECTION);
    }

    /** A task that the key lets begin first, and that a worker performs. */
    private FencedTask beginAnotherOfTheKey() {
      FencedTask begun = before;
      if (begun == null) {
        tasks.setKeyPolicy(handler, TOGETHER);
        NewTask other =
            task(
                queue(new QueueName(handler, 60)),
                micros(-120),
                TaskDetails.of(new byte[] {3}).withKey(KEY));
        EnqueuedTask enqueued = onQueue(other);
        TaskClaim claim =
            new TaskClaim(enqueued.task(), other.queue(), OTHER_WORKER, enqueued.keyId());
        assertThat(tasks.claim(List.of(claim), LEASE).claimed()).containsExactly(enqueued.task());
        tasks.setKeyPolicy(handler, OrderingKeyPolicy.DEFAULT);
        begun = enqueued.task().next();
        before = begun;
      }
      return begun;
    }

    void assertIsThere(String cell) {
      TaskView view = view(id);
      boolean isHeld = view.progress().holder() != null;
      long fence = isHeld ? tasks.holder(id).map(TaskHolder::fence).orElse(-1L) : life.fence();
      assertThat(
              new TaskLife(
                  view.state(),
                  view.progress().attempt(),
                  fence,
                  view.progress().cancelRequested()))
          .as(cell)
          .isEqualTo(life);
      assertThat(isHeld).as(cell).isEqualTo(life.state().isHeld());
      if (life.after(ENQUEUE).isPresent()) { // only the next holder learns the fence
        openGate();
        assertThat(enqueue())
            .as(cell)
            .extracting(EnqueuedTask::task)
            .containsExactly(fenced().next());
      }
    }
  }
}
