package io.kairos.edge.call;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskProgress;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.engine.task.edge.AnswerCallback;
import io.kairos.engine.task.edge.AttemptReport;
import io.kairos.engine.task.edge.ClaimedTask;
import io.kairos.engine.task.edge.HeartbeatResult;
import io.kairos.engine.task.edge.NotEnrolled;
import io.kairos.engine.task.edge.ReportResult;
import io.kairos.engine.task.edge.TaskEdge;
import io.kairos.engine.task.edge.TaskSpec;
import io.kairos.engine.task.edge.WorkRequest;
import io.kairos.engine.task.port.HeartbeatFinding;
import io.kairos.engine.task.port.InsertResult;
import io.kairos.engine.task.port.LeaseRenewal;
import io.kairos.engine.task.port.TaskReceipt;
import io.kairos.engine.task.port.operator.CancelResult;
import io.kairos.engine.task.port.operator.ChangeRequest;
import io.kairos.engine.task.port.operator.ChangeResult;
import io.kairos.engine.task.port.operator.ListQuery;
import io.kairos.engine.task.port.operator.TaskGraphView;
import io.kairos.engine.task.port.operator.TaskListing;
import io.kairos.engine.task.port.operator.TaskView;
import io.kairos.engine.task.port.operator.UnfinishedTasks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A node that remembers what it was asked and answers as a test wants. */
final class ScriptedTasks implements TaskEdge {
  final List<TaskSpec> scheduled = new CopyOnWriteArrayList<>();
  final List<TaskGraphView.Edge> edges = new CopyOnWriteArrayList<>();
  final ScriptedBatches batches = new ScriptedBatches();
  final AtomicInteger graphsWalked = new AtomicInteger();
  final List<TaskId> cancelled = new CopyOnWriteArrayList<>();
  final List<AttemptReport> reports = new CopyOnWriteArrayList<>();
  final List<List<FencedTask>> beaten = new CopyOnWriteArrayList<>();
  final List<Optional<String>> beatenBy = new CopyOnWriteArrayList<>();
  final List<Duration> leases = new CopyOnWriteArrayList<>();
  final List<Optional<TaskProgress>> said = new CopyOnWriteArrayList<>();
  final BlockingQueue<AnswerCallback<Optional<TaskView>>> awaited = new LinkedBlockingQueue<>();
  final BlockingQueue<Poll> polls = new LinkedBlockingQueue<>();
  private final List<Poll> waiting = new CopyOnWriteArrayList<>();
  final Map<TaskId, TaskView> known = new ConcurrentHashMap<>();
  final List<Long> rescheduled = new CopyOnWriteArrayList<>();
  final List<ChangeRequest> changes = new CopyOnWriteArrayList<>();
  final List<ListQuery> queries = new CopyOnWriteArrayList<>();

  final ScriptedQueues queues = new ScriptedQueues();

  volatile boolean full;

  /** Answers wait here while {@link #silent}. */
  final BlockingQueue<Runnable> unanswered = new LinkedBlockingQueue<>();

  volatile boolean silent;
  volatile Runnable whileFinding = () -> {};
  volatile boolean down;
  volatile boolean enrolled = true;
  volatile boolean movable = true;

  /** Instead of storing what is scheduled. */
  volatile Optional<InsertResult> insertResult = Optional.empty();

  volatile CancelResult cancelResult = CancelResult.CANCELLED;
  volatile List<ReportResult> reportResults = List.of(new ReportResult.Accepted());

  /** What has been claimed when the wait of the next worker is over. */
  final AtomicReference<List<ClaimedTask>> claimedForNext = new AtomicReference<>(List.of());

  volatile List<HeartbeatResult> beats =
      List.of(new HeartbeatResult(HeartbeatFinding.EXTENDED, null));

  /** A worker that waits. */
  static final class Poll implements Waiting {
    final WorkRequest request;
    private final AnswerCallback<List<ClaimedTask>> answer;
    private final AtomicBoolean answered = new AtomicBoolean();

    /** The thread on which the request was read. */
    final String thread = Thread.currentThread().getName();

    private final BlockingQueue<Boolean> ends = new LinkedBlockingQueue<>();

    /** What has been claimed when the wait is over. */
    volatile List<ClaimedTask> claimed = List.of();

    Poll(WorkRequest request, AnswerCallback<List<ClaimedTask>> answer) {
      this.request = request;
      this.answer = answer;
    }

    boolean takeRoom(long bytes) {
      return answer.takeRoom(bytes);
    }

    void answer(List<ClaimedTask> work) {
      if (answered.compareAndSet(false, true)) {
        answer.answered(work);
      }
    }

    void fail(RuntimeException cause) {
      if (answered.compareAndSet(false, true)) {
        answer.failed(cause);
      }
    }

    @Override
    public void end() {
      ends.add(true);
      answer(claimed);
    }

    boolean isEnded() {
      return !ends.isEmpty();
    }

    void awaitEnd() throws InterruptedException {
      requireNonNull(ends.poll(1, TimeUnit.MINUTES), "the wait was not ended");
    }
  }

  static TaskId id(int number) {
    return TaskId.at(number, 0, 0);
  }

  private <T> boolean answer(AnswerCallback<T> answer, T value) {
    if (full) {
      return false;
    }
    Runnable answers =
        () -> {
          if (down) {
            answer.failed(new StoreUnavailable("injected"));
          } else if (!enrolled) {
            answer.failed(new NotEnrolled());
          } else {
            answer.answered(value);
          }
        };
    if (silent) {
      unanswered.add(answers);
    } else {
      // As the engine: on a thread of its own.
      Thread.ofVirtual().start(answers);
    }
    return true;
  }

  @Override
  public boolean schedule(List<TaskSpec> tasks, AnswerCallback<InsertResult> answer) {
    List<TaskReceipt> receipts = new ArrayList<>();
    for (int i = 0; i < tasks.size(); i++) {
      receipts.add(TaskReceipt.stored(id(i + 1), false));
    }
    if (!full) {
      scheduled.addAll(tasks);
    }
    return answer(answer, insertResult.orElse(new InsertResult.Stored(receipts)));
  }

  @Override
  public Waiting nextWork(WorkRequest request, AnswerCallback<List<ClaimedTask>> answer) {
    Poll poll = new Poll(request, answer);
    poll.claimed = claimedForNext.getAndSet(List.of());
    polls.add(poll);
    waiting.add(poll);
    return poll;
  }

  @Override
  public void leave(String worker, @Nullable String caller) {
    waiting.stream()
        .filter(poll -> poll.request.worker().equals(worker))
        .filter(poll -> Objects.equals(poll.request.caller(), caller))
        .forEach(Poll::end);
  }

  Poll nextPoll() throws InterruptedException {
    return requireNonNull(polls.poll(1, TimeUnit.MINUTES), "nobody waits for work");
  }

  @Override
  public boolean renew(List<LeaseRenewal> renewals, AnswerCallback<List<HeartbeatResult>> answer) {
    beaten.add(renewals.stream().map(LeaseRenewal::task).toList());
    beatenBy.add(Optional.ofNullable(renewals.getFirst().caller()));
    leases.add(renewals.getFirst().lease());
    said.add(Optional.ofNullable(renewals.getFirst().progress()));
    return answer(answer, beats);
  }

  @Override
  public Waiting await(TaskId id, String caller, AnswerCallback<Optional<TaskView>> answer) {
    awaited.add(answer);
    return () -> answer.answered(Optional.empty());
  }

  @Override
  public boolean report(List<AttemptReport> given, AnswerCallback<List<ReportResult>> answer) {
    reports.addAll(given);
    return answer(answer, reportResults);
  }

  @Override
  public Duration lease() {
    return Duration.ofMillis(4_500);
  }

  @Override
  public Duration heartbeatInterval() {
    return Duration.ofSeconds(1);
  }

  @Override
  public ScriptedQueues queues() {
    return queues;
  }

  @Override
  public ScriptedBatches batches() {
    return batches;
  }

  @Override
  public CancelResult cancel(TaskId id) {
    cancelled.add(id);
    return cancelResult;
  }

  @Override
  public boolean reschedule(TaskId id, long dueMicros) {
    rescheduled.add(dueMicros);
    return movable;
  }

  @Override
  public ChangeResult change(ChangeRequest request) {
    changes.add(request);
    return new ChangeResult(3, request.isDryRun() ? null : id(3), Edge.NOW);
  }

  @Override
  public Optional<TaskView> find(TaskId id, boolean withPayload) {
    whileFinding.run();
    if (down) {
      throw new StoreUnavailable("injected");
    }
    return Optional.ofNullable(known.get(id))
        .map(view -> withPayload ? view : withoutPayload(view));
  }

  private static TaskView withoutPayload(TaskView view) {
    return new TaskView(
        view.id(),
        view.queue(),
        view.details().withPayload(TaskView.NO_PAYLOAD),
        view.dueAt(),
        view.createdAt(),
        view.progress(),
        view.submittedBy(),
        view.schedule(),
        view.batch());
  }

  @Override
  public TaskListing list(ListQuery query) {
    queries.add(query);
    List<TaskView> found =
        known.values().stream()
            .filter(
                view -> query.handler() == null || query.handler().equals(view.queue().handler()))
            .filter(view ->
                !isBefore(view, query.fromMicros(), Long.MIN_VALUE)
                    && isBefore(view, query.toMicros(), Long.MAX_VALUE))
            .filter(view -> query.states().contains(view.state()))
            .filter(view -> query.before() == null || view.id().compareTo(query.before()) < 0)
            .sorted((a, b) -> b.id().compareTo(a.id()))
            .limit(query.limit() + 1)
            .toList();
    return TaskListing.of(query, found, null);
  }

  private static boolean isBefore(TaskView view, @Nullable Long micros, long otherwise) {
    return EpochMicros.of(view.dueAt()) < requireNonNullElse(micros, otherwise);
  }

  @Override
  public Map<TaskId, QueueName> queuesOf(Collection<TaskId> ids) {
    Map<TaskId, QueueName> queues = new HashMap<>();
    known.values().stream()
        .filter(view -> ids.contains(view.id()))
        .forEach(view -> queues.put(view.id(), view.queue()));
    return queues;
  }

  /** Every known task is in one graph. */
  @Override
  public TaskGraphView graph(TaskId id, int maxTasks, int maxEdges) {
    graphsWalked.incrementAndGet();
    Map<TaskId, TaskState> states = new HashMap<>();
    known.values().stream().limit(maxTasks).forEach(view -> states.put(view.id(), view.state()));
    return new TaskGraphView(
        states,
        edges.stream().limit(maxEdges).toList(),
        known.size() > maxTasks || edges.size() > maxEdges);
  }

  /** Every unfinished task waits for every other. */
  @Override
  public UnfinishedTasks unfinishedFrom(TaskId id, int limit) {
    graphsWalked.incrementAndGet();
    List<TaskId> unfinished =
        known.values().stream()
            .filter(view -> !view.state().isFinished())
            .map(TaskView::id)
            .sorted(Comparator.reverseOrder())
            .toList();
    return new UnfinishedTasks(
        unfinished.stream().limit(limit).toList(), unfinished.size() > limit);
  }
}
