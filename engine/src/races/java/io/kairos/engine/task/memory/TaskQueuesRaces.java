package io.kairos.engine.task.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.engine.task.edge.AnswerCallback;
import io.kairos.engine.task.edge.ClaimedTask;
import io.kairos.engine.task.edge.TaskEdge.Waiting;
import io.kairos.engine.task.edge.WorkRequest;
import io.kairos.engine.task.port.ClaimResult;
import io.kairos.engine.task.port.EnqueuedTask;
import io.kairos.engine.task.setup.TaskConfig;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Tasks that arrive, workers that wait and give up, the claim step, and the end, two at a time.
 * What no outcome names is forbidden.
 */
public final class TaskQueuesRaces {
  private static final QueueId MAILS = new QueueId(1);
  private static final int BYTES = 10;
  private static final long MAX_BYTES = 1 << 20;
  private static final long NOW = 0;
  private static final int MANY = 100;
  private static final TaskConfig CONFIG = TaskSamples.config(MANY, MAX_BYTES, 1_000, MANY);
  private static final Map<QueueId, QueueName> QUEUES =
      Map.of(MAILS, TaskSamples.queue(TaskSamples.MAIL, 50));
  private static final EnqueuedTask FIRST = TaskSamples.task(MAILS, 1, NOW, BYTES);
  private static final EnqueuedTask SECOND = TaskSamples.task(MAILS, 2, NOW, BYTES);

  private TaskQueuesRaces() {}

  /** Queues of one handler. */
  abstract static class Queueing {
    private final TaskQueues queues =
        new TaskQueues(
            CONFIG,
            () -> Instant.EPOCH,
            () -> 0,
            new TaskSamples.Signals(),
            new TaskSamples.Signals());

    Queueing() {
      queues.know(QUEUES);
    }

    final Waiting await(String worker, Answers answers) {
      WorkRequest request = TaskSamples.request(worker, 1, MAX_BYTES, TaskSamples.MAIL);
      return queues.await(request, answers);
    }

    /** A task is stored, if there is room for it, and then here. */
    final void arrive(EnqueuedTask task) {
      if (queues.reserve(MAILS, BYTES, true, null)) {
        queues.offerReserved(List.of(task));
      }
    }

    final List<TaskMatch> match() {
      return queues.match(NOW, MANY);
    }

    final void hand(List<TaskMatch> matches, boolean areClaimed) {
      Set<FencedTask> claimed = new HashSet<>();
      if (areClaimed) {
        matches.forEach(match -> claimed.add(match.task().task()));
      }
      queues.hand(matches, new ClaimResult(claimed, Map.of()));
    }

    final void claimStep() {
      hand(match(), true);
    }

    final void leave(String worker) {
      queues.leave(worker, null);
    }

    final void close() {
      queues.close();
    }

    final int size() {
      return queues.size();
    }

    final int waiting() {
      return queues.waiting();
    }

    /** Tasks of which the room is taken. */
    final int roomTaken() {
      long bytesLeft = queues.room().bytes() * 2;
      return (int) (MAX_BYTES - bytesLeft) / BYTES;
    }
  }

  /** How often one wait was answered, and with how many tasks. */
  static final class Answers implements AnswerCallback<List<ClaimedTask>> {
    private static final int REFUSED = 10;

    private final AtomicInteger count = new AtomicInteger();
    private final AtomicInteger tasks = new AtomicInteger();

    @Override
    public void answered(List<ClaimedTask> value) {
      count.incrementAndGet();
      tasks.addAndGet(value.size());
    }

    @Override
    public void failed(RuntimeException cause) {
      count.addAndGet(REFUSED);
    }

    int count() {
      return count.get();
    }

    int tasks() {
      return tasks.get();
    }
  }

  /** Tasks arrive while the claim step hands out. */
  @JCStressTest
  @Outcome(
      id = "2, 2, 0, 0",
      expect = ACCEPTABLE,
      desc = "Each worker has a task, all room is back.")
  @State
  public static class ArriveAndClaim extends Queueing {
    private final Answers first = new Answers();
    private final Answers second = new Answers();

    public ArriveAndClaim() {
      await("a", first);
      await("b", second);
    }

    @Actor
    public void schedule() {
      arrive(FIRST);
      arrive(SECOND);
    }

    @Actor
    public void claim() {
      claimStep();
      claimStep();
    }

    @Arbiter
    public void after(IIII_Result result) {
      claimStep();
      result.r1 = first.count() + second.count();
      result.r2 = first.tasks() + second.tasks();
      result.r3 = waiting();
      result.r4 = roomTaken();
    }
  }

  /** Two arrive at once. */
  @JCStressTest
  @Outcome(id = "2, 2, 1, 1", expect = ACCEPTABLE, desc = "Both are queued once, one goes out.")
  @State
  public static class ArriveAndArrive extends Queueing {
    private final Answers answers = new Answers();

    public ArriveAndArrive() {
      await("a", answers);
    }

    @Actor
    public void one() {
      arrive(FIRST);
    }

    @Actor
    public void other() {
      arrive(SECOND);
    }

    @Arbiter
    public void after(IIII_Result result) {
      result.r1 = size();
      result.r2 = roomTaken();
      claimStep();
      result.r3 = answers.tasks();
      result.r4 = roomTaken();
    }
  }

  /** A worker gives up while it is handed a task. */
  @JCStressTest
  @Outcome(id = "1, 1, 0", expect = ACCEPTABLE, desc = "It gets the task that is claimed for it.")
  @State
  public static class HandAndGiveUp extends Queueing {
    private final Answers answers = new Answers();
    private final Waiting wait = await("a", answers);
    private final List<TaskMatch> matches;

    public HandAndGiveUp() {
      arrive(FIRST);
      matches = match();
    }

    @Actor
    public void claim() {
      hand(matches, true);
    }

    @Actor
    public void giveUp() {
      wait.end();
    }

    @Arbiter
    public void after(III_Result result) {
      result.r1 = answers.count();
      result.r2 = answers.tasks();
      result.r3 = waiting();
    }
  }

  /** A worker gives up while its task turns out not to be claimed. */
  @JCStressTest
  @Outcome(id = "1, 0, 0", expect = ACCEPTABLE, desc = "It is told once that there is nothing.")
  @State
  public static class HandNothingAndGiveUp extends Queueing {
    private final Answers answers = new Answers();
    private final Waiting wait = await("a", answers);
    private final List<TaskMatch> matches;

    public HandNothingAndGiveUp() {
      arrive(FIRST);
      matches = match();
    }

    @Actor
    public void claim() {
      hand(matches, false);
    }

    @Actor
    public void giveUp() {
      wait.end();
    }

    @Arbiter
    public void after(III_Result result) {
      result.r1 = answers.count();
      result.r2 = answers.tasks();
      result.r3 = waiting();
    }
  }

  /** A worker leaves while the claim step hands out. */
  @JCStressTest
  @Outcome(id = "1, 1, 0, 0", expect = ACCEPTABLE, desc = "The task was handed out before.")
  @Outcome(id = "1, 0, 1, 1", expect = ACCEPTABLE, desc = "The task is still queued.")
  @State
  public static class LeaveAndClaim extends Queueing {
    private final Answers answers = new Answers();

    public LeaveAndClaim() {
      await("a", answers);
      arrive(FIRST);
    }

    @Actor
    public void claim() {
      claimStep();
    }

    @Actor
    public void stopWorker() {
      leave("a");
    }

    @Arbiter
    public void after(IIII_Result result) {
      result.r1 = answers.count();
      result.r2 = answers.tasks();
      result.r3 = size();
      result.r4 = roomTaken();
    }
  }

  /** A worker begins to wait at the end. */
  @JCStressTest
  @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "It came before the end, and is told of it.")
  @Outcome(id = "10, 0", expect = ACCEPTABLE, desc = "It came after the end, and is refused.")
  @State
  public static class AwaitAndClose extends Queueing {
    private final Answers answers = new Answers();

    @Actor
    public void worker() {
      await("a", answers);
    }

    @Actor
    public void stop() {
      close();
    }

    @Arbiter
    public void after(II_Result result) {
      result.r1 = answers.count();
      result.r2 = waiting();
    }
  }
}
