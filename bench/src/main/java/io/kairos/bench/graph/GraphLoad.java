package io.kairos.bench.graph;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.bench.graph.GraphJudge.Edge;
import io.kairos.bench.load.BenchWait;
import io.kairos.client.Graph;
import io.kairos.client.Idempotency;
import io.kairos.client.KairosClient;
import io.kairos.client.TaskRequest;
import io.kairos.client.error.KairosException;
import io.kairos.client.error.NodesUnavailableException;
import io.kairos.client.task.RetryPolicy;
import io.kairos.client.task.ScheduledTask;
import io.kairos.client.task.TaskId;
import io.kairos.domain.task.graph.OnFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Schedules graphs of random shapes from several threads, at a rate, until it is stopped; some of
 * their tasks wait for tasks of earlier graphs, half of them name a limit, and some are cancelled.
 * A call is repeated until it is answered: its tasks have idempotency keys. Thread-safe.
 */
public final class GraphLoad implements AutoCloseable {
  private static final int CALLERS = 4;
  private static final int MOST_BACK = 60;
  private static final Duration TRIES_AGAIN_AFTER = Duration.ofMillis(200);
  private static final Duration SOON = Duration.ofMillis(100);

  /** So many that kills do not use them up. */
  private static final RetryPolicy RETRIES = RetryPolicy.attempts(100).backoff(SOON, 1, SOON);

  private final KairosClient client;
  private final long seed;
  private final double perSecond;
  private final List<Thread> callers = new ArrayList<>();
  private volatile boolean stopped;

  @GuardedBy("this")
  private final List<UUID> accepted = new ArrayList<>();

  @GuardedBy("this")
  private final List<Edge> edges = new ArrayList<>();

  @GuardedBy("this")
  private long graphs;

  @GuardedBy("this")
  private long cancels;

  @GuardedBy("this")
  private final List<Cancel> asked = new ArrayList<>();

  /** What has ended a caller before its time; null for nothing. */
  private volatile @Nullable Throwable failure;

  /** A call that cancels a task, whether it was answered or not. */
  public record Cancel(UUID task, boolean withSuccessors) {}

  /**
   * A load that is not started yet.
   *
   * @param perSecond tasks, of all graphs together
   */
  public GraphLoad(KairosClient client, long seed, double perSecond) {
    this.client = client;
    this.seed = seed;
    this.perSecond = perSecond;
  }

  public GraphLoad start() {
    for (int i = 0; i < CALLERS; i++) {
      SplittableRandom random = new SplittableRandom(seed + i);
      String name = "bench-caller-" + i;
      callers.add(
          Thread.ofPlatform()
              .name(name)
              .daemon()
              .uncaughtExceptionHandler((_, e) -> failure = e)
              .start(() -> run(name, random)));
    }
    return this;
  }

  private void run(String caller, SplittableRandom random) {
    long next = System.nanoTime();
    for (long n = 0; !stopped; n++) {
      GraphPlan plan = GraphPlan.draw(random);
      schedule(caller + "/" + n, plan, random);
      next += (long) (plan.tasks().size() * CALLERS * 1e9 / perSecond);
      next = Math.max(next, System.nanoTime() - Duration.ofSeconds(1).toNanos());
      LockSupport.parkNanos(next - System.nanoTime());
    }
  }

  /** An edge to a task of an earlier graph. */
  private record Stored(UUID predecessor, int successor, OnFailure onFailure) {}

  private void schedule(String name, GraphPlan plan, SplittableRandom random) {
    List<Stored> stored = drawStored(plan, random);
    Graph graph = new Graph();
    List<Graph.Step> steps = new ArrayList<>();
    for (int i = 0; i < plan.tasks().size(); i++) {
      GraphPlan.Planned planned = plan.tasks().get(i);
      TaskRequest.Builder request =
          TaskRequest.to(GraphWorkerMain.HANDLER)
              .payload(planned.course().payload(planned.millis()))
              .retryPolicy(RETRIES)
              .idempotency(Idempotency.key(seed + "/" + name + "/" + i).forever());
      int limit = random.nextInt(2 * LimitWatch.NAMES);
      if (limit < LimitWatch.NAMES) {
        request.limit(LimitWatch.name(limit));
      }
      for (Stored one : stored) {
        if (one.successor == i) {
          request.after(new TaskId(one.predecessor), client(one.onFailure));
        }
      }
      Graph.Step step = graph.add(request.build());
      planned.after().forEach(one -> step.after(steps.get(one.index()), client(one.onFailure())));
      steps.add(step);
    }
    List<UUID> ids = call(graph.tasks());
    note(ids, plan, stored);
    if (!ids.isEmpty() && random.nextInt(10) == 0) {
      cancel(new TaskId(ids.get(random.nextInt(ids.size()))), random.nextBoolean());
    }
  }

  private synchronized List<Stored> drawStored(GraphPlan plan, SplittableRandom random) {
    List<Stored> stored = new ArrayList<>();
    for (int i = 0; i < plan.tasks().size() && !accepted.isEmpty(); i++) {
      if (random.nextInt(8) == 0) {
        int back = random.nextInt(Math.min(MOST_BACK, accepted.size()));
        stored.add(
            new Stored(accepted.get(accepted.size() - 1 - back), i, GraphPlan.onFailure(random)));
      }
    }
    return stored;
  }

  private static io.kairos.client.task.OnFailure client(OnFailure onFailure) {
    return io.kairos.client.task.OnFailure.valueOf(onFailure.name());
  }

  /** Returns the ids, or none when the load ends before any node has answered. */
  private List<UUID> call(List<TaskRequest> tasks) {
    for (int tries = 0; ; tries++) {
      try {
        return client.accept(tasks).stream().map(ScheduledTask::id).map(TaskId::value).toList();
      } catch (NodesUnavailableException e) {
        if (stopped && tries > 0) {
          return List.of();
        }
        BenchWait.pass(TRIES_AGAIN_AFTER);
      }
    }
  }

  private synchronized void note(List<UUID> ids, GraphPlan plan, List<Stored> stored) {
    if (ids.isEmpty()) {
      return;
    }
    graphs++;
    accepted.addAll(ids);
    for (int i = 0; i < ids.size(); i++) {
      for (GraphPlan.Awaited one : plan.tasks().get(i).after()) {
        edges.add(new Edge(ids.get(one.index()), ids.get(i), one.onFailure()));
      }
    }
    stored.forEach(
        one -> edges.add(new Edge(one.predecessor, ids.get(one.successor), one.onFailure)));
  }

  private void cancel(TaskId id, boolean withSuccessors) {
    noteAsked(new Cancel(id.value(), withSuccessors));
    try {
      if (withSuccessors) {
        client.cancelGraph(id);
      } else {
        client.cancel(id);
      }
      noteCancel();
    } catch (KairosException e) {
      // no node was there, or the task has ended: it ends as it will
    }
  }

  private synchronized void noteAsked(Cancel cancel) {
    asked.add(cancel);
  }

  private synchronized void noteCancel() {
    cancels++;
  }

  /** Ends the load and waits for the calls under way. */
  public void stop() throws InterruptedException {
    stopped = true;
    BenchWait.forEndOf(callers);
  }

  public synchronized long graphs() {
    return graphs;
  }

  /** Calls that cancelled a task, or one with those that wait for it, and were answered. */
  public synchronized long cancels() {
    return cancels;
  }

  /** All calls that cancel a task, in any order. */
  public synchronized List<Cancel> asked() {
    return List.copyOf(asked);
  }

  /** What has ended one of the callers before its time; null for nothing. */
  public @Nullable Throwable failure() {
    return failure;
  }

  /** The tasks of all graphs that were accepted. */
  public synchronized List<UUID> accepted() {
    return List.copyOf(accepted);
  }

  public synchronized List<Edge> edges() {
    return List.copyOf(edges);
  }

  @Override
  public void close() {
    stopped = true;
  }
}
