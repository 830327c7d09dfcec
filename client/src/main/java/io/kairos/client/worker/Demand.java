package io.kairos.client.worker;

import java.time.Duration;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * How many tasks to ask which node for. Never more than there are free executor places plus a
 * buffer; the buffer holds what the executors will do in {@link #BUFFERED_TIME}, judged by how long
 * tasks took lately: nothing for slow handlers, whose tasks another worker could begin at once,
 * hundreds for quick ones, which must not wait for a round trip. The whole is asked for in shares,
 * so that a next call is under way while the answer to one is being worked on, and each node has
 * one waiting. Pure; guarded by the {@link Board}.
 */
final class Demand {
  static final Duration BUFFERED_TIME = Duration.ofMillis(50);
  private static final int MOST_PER_ASK = 1_000;

  /**
   * Executions that the mean goes over: so many that a slow one among thousands still counts, for
   * what is buffered waits behind it.
   */
  private static final int MEMORY = 10_000;

  private final int concurrency;
  private final int mostBuffered;
  private final int openPerNode;
  private final int[] open;
  private int asked;
  private int asks;
  private int turn;

  /** Of an execution, over the last {@link #MEMORY} or so. */
  private double meanNanos;

  private int samples;

  /**
   * @param mostBuffered bound on the buffer, whatever the handlers' speed
   */
  Demand(int concurrency, int mostBuffered, int nodes) {
    this.concurrency = concurrency;
    this.mostBuffered = mostBuffered;
    this.openPerNode = nodes == 1 ? 3 : 2;
    this.open = new int[nodes];
  }

  /** A call for at most {@code maxTasks}, to be made now; {@link #answered} ends it. */
  record Ask(int node, int maxTasks) {}

  void ran(long nanos) {
    samples = Math.min(samples + 1, MEMORY);
    meanNanos += (nanos - meanNanos) / samples;
  }

  /** How many tasks may be here at once, running or waiting. */
  int places() {
    if (samples == 0) {
      return concurrency;
    }
    double quick = BUFFERED_TIME.toNanos() / Math.max(1, meanNanos) * concurrency;
    return concurrency + (int) Math.min(mostBuffered, quick);
  }

  /**
   * @param occupied places, by running and by buffered tasks
   * @param buffered of them
   * @param rests nodes that are not to be asked now
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

  /** Nodes with a call under way. */
  List<Integer> nodesAsked() {
    return IntStream.range(0, open.length).filter(node -> open[node] > 0).boxed().toList();
  }

  /** Calls under way. */
  int asks() {
    return asks;
  }

  /** -1 when none may be asked. */
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
