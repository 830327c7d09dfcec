package io.kairos.client.worker;

import java.time.Duration;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Decides how many tasks to ask of which node: never more than the free executors plus a buffer.
 * The buffer holds as many tasks as the executors perform in {@link #BUFFERED_TIME}, by the recent
 * mean duration: none for slow handlers, whose tasks another worker could begin at once, and
 * hundreds for quick handlers, which must not wait for a round trip. Tasks are asked for in shares,
 * so that the next call is under way while the tasks of one answer are performed, and each node has
 * a waiting call. Pure; guarded by the {@link WorkerBoard}.
 */
final class TaskDemand {
  static final Duration BUFFERED_TIME = Duration.ofMillis(50);
  private static final int MOST_PER_ASK = 1_000;

  /**
   * Number of executions in the mean: so many that one slow task among thousands still counts,
   * because buffered tasks wait behind it.
   */
  private static final int MEMORY = 10_000;

  private final int concurrency;
  private final int mostBuffered;
  private final int openPerNode;
  private final int[] open;
  private int asked;
  private int asks;
  private int turn;
  private int abandoned;

  /** Mean duration of about the last {@link #MEMORY} executions. */
  private double meanNanos;

  private int samples;

  /**
   * @param mostBuffered maximum size of the buffer
   */
  TaskDemand(int concurrency, int mostBuffered, int nodes) {
    this.concurrency = concurrency;
    this.mostBuffered = mostBuffered;
    this.openPerNode = nodes == 1 ? 3 : 2;
    this.open = new int[nodes];
  }

  /** A call to make now for at most {@code maxTasks}; {@link #answered} ends it. */
  record Ask(int node, int maxTasks) {}

  /** An executor is occupied, until {@link #returned}, by a handler without a lease. */
  void abandoned() {
    abandoned++;
  }

  void returned() {
    abandoned--;
  }

  /** False while abandoned handlers occupy all executors, so that nothing here would be begun. */
  boolean hasExecutors() {
    return abandoned < concurrency;
  }

  void ran(long nanos) {
    samples = Math.min(samples + 1, MEMORY);
    meanNanos += (nanos - meanNanos) / samples;
  }

  /** Maximum number of tasks that run or wait on this worker. */
  int places() {
    if (samples == 0) {
      return concurrency;
    }
    double quick = BUFFERED_TIME.toNanos() / Math.max(1, meanNanos) * (concurrency - abandoned);
    return concurrency + (int) Math.min(mostBuffered, quick);
  }

  /**
   * @param occupied number of running and buffered tasks, abandoned ones included
   * @param buffered number of buffered tasks
   * @param rests true for nodes that are not called now
   */
  @Nullable Ask next(int occupied, int buffered, IntPredicate rests) {
    int free = places() - occupied - asked;
    int slots = openPerNode * open.length;
    int share = Math.min(MOST_PER_ASK, (places() + slots - 1) / slots);
    boolean executorsHaveWork = buffered > 0;
    if (free < 1 || (executorsHaveWork && free < (share + 1) / 2)) {
      return null; // one call for many is cheaper than many for one
    }
    int node = leastAsked(rests);
    if (node < 0) {
      return null;
    }
    Ask ask = new Ask(node, Math.min(free, share));
    open[node]++;
    asks++;
    asked += ask.maxTasks;
    return ask;
  }

  void answered(Ask ask) {
    open[ask.node]--;
    asks--;
    asked -= ask.maxTasks;
  }

  /** Nodes with open calls. */
  List<Integer> nodesAsked() {
    return IntStream.range(0, open.length).filter(node -> open[node] > 0).boxed().toList();
  }

  /** Number of open calls. */
  int asks() {
    return asks;
  }

  /** Returns the node with the fewest open calls; -1 when none may be called. */
  private int leastAsked(IntPredicate rests) {
    int best = -1;
    for (int i = 0; i < open.length; i++) {
      int node = (turn + i) % open.length;
      if (open[node] < openPerNode && !rests.test(node) && (best < 0 || open[node] < open[best])) {
        best = node;
      }
    }
    if (best >= 0) {
      turn = (best + 1) % open.length;
    }
    return best;
  }
}
