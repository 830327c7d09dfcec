package io.kairos.domain.task.graph;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.batch.BatchId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Tasks of one request and what they wait for. Members are named by their index in the request,
 * tasks that are stored already, and batches, by their id. Pure; checked in time and memory
 * proportional to tasks and edges, without recursion.
 *
 * @param tasks the number of members
 */
public record TaskGraph(int tasks, List<Edge> edges) {
  /** Most edges of one request. */
  public static final int MOST_EDGES = 100_000;

  public TaskGraph {
    edges = List.copyOf(edges);
  }

  /** A task, or a batch of tasks, that another task waits for. */
  public sealed interface Predecessor {
    /** A task of the same request. */
    record Member(int index) implements Predecessor {}

    /** A task that has been stored before. */
    record Stored(TaskId id) implements Predecessor {}

    /** All tasks of a batch, which ends with the last of them. */
    record OfBatch(BatchId id) implements Predecessor {}
  }

  /**
   * One task of the request waits for another task.
   *
   * @param successor the index of the task that waits
   */
  public record Edge(Predecessor predecessor, int successor, OnFailure onFailure) {}

  /** A reason why tasks and edges are no graph; names an edge by its index. */
  public sealed interface Flaw {
    /** There are more edges than {@link #MOST_EDGES}. */
    record TooManyEdges(int edges) implements Flaw {}

    /** An edge names a member that is not in the request. */
    record NoSuchTask(int edge, int member) implements Flaw {}

    /** Two edges lead from one predecessor to one successor. */
    record Repeated(int edge, int earlier) implements Flaw {}

    /**
     * A task waits for itself.
     *
     * @param edge the edge of the cycle that comes last in the request
     * @param members the tasks of the cycle: each waits for the next, and the last for the first
     */
    record Cycle(int edge, List<Integer> members) implements Flaw {
      public Cycle {
        members = List.copyOf(members);
      }
    }
  }

  /** Returns the first flaw; empty for a graph without cycles. */
  public Optional<Flaw> flaw() {
    if (edges.size() > MOST_EDGES) {
      return Optional.of(new Flaw.TooManyEdges(edges.size()));
    }
    Map<List<Object>, Integer> seen = HashMap.newHashMap(edges.size());
    for (int i = 0; i < edges.size(); i++) {
      Edge edge = edges.get(i);
      if (!isMember(edge.successor())) {
        return Optional.of(new Flaw.NoSuchTask(i, edge.successor()));
      }
      if (edge.predecessor() instanceof Predecessor.Member(int index) && !isMember(index)) {
        return Optional.of(new Flaw.NoSuchTask(i, index));
      }
      Integer earlier = seen.putIfAbsent(List.of(edge.predecessor(), edge.successor()), i);
      if (earlier != null) {
        return Optional.of(new Flaw.Repeated(i, earlier));
      }
    }
    Sorted sorted = sorted();
    return sorted.order.size() == tasks ? Optional.empty() : Optional.of(cycle(sorted.placed));
  }

  private boolean isMember(int index) {
    return index >= 0 && index < tasks;
  }

  /**
   * Returns all members, each after those that it waits for. Members that do not depend on each
   * other keep their order as far as possible.
   *
   * @throws IllegalStateException if the graph has a cycle
   */
  public List<Integer> order() {
    List<Integer> order = sorted().order;
    if (order.size() < tasks) {
      throw new IllegalStateException("a cycle, which flaw() would have named");
    }
    return order;
  }

  /**
   * Members in order.
   *
   * @param placed the members that are in the order; the others are in cycles, or wait for them
   */
  private record Sorted(List<Integer> order, BitSet placed) {}

  /** Kahn's algorithm: takes members whose predecessors have all been taken. */
  private Sorted sorted() {
    int[] open = new int[tasks];
    List<List<Integer>> successors = new ArrayList<>(tasks);
    for (int i = 0; i < tasks; i++) {
      successors.add(new ArrayList<>(0));
    }
    for (Edge edge : edges) {
      if (edge.predecessor() instanceof Predecessor.Member(int index)) {
        open[edge.successor()]++;
        successors.get(index).add(edge.successor());
      }
    }
    Deque<Integer> free = new ArrayDeque<>();
    for (int i = 0; i < tasks; i++) {
      if (open[i] == 0) {
        free.add(i);
      }
    }
    List<Integer> order = new ArrayList<>(tasks);
    BitSet placed = new BitSet(tasks);
    while (!free.isEmpty()) {
      int member = free.remove();
      order.add(member);
      placed.set(member);
      for (int successor : successors.get(member)) {
        if (--open[successor] == 0) {
          free.add(successor);
        }
      }
    }
    return new Sorted(order, placed);
  }

  /** Walks from predecessor to predecessor: every member that was not placed waits for another. */
  private Flaw.Cycle cycle(BitSet placed) {
    Map<Integer, Integer> waitsBy = new HashMap<>();
    for (int i = 0; i < edges.size(); i++) {
      Edge edge = edges.get(i);
      if (edge.predecessor() instanceof Predecessor.Member(int index) && !placed.get(index)) {
        waitsBy.putIfAbsent(edge.successor(), i);
      }
    }
    List<Integer> walked = new ArrayList<>();
    Map<Integer, Integer> placeOf = new HashMap<>();
    int member = placed.nextClearBit(0);
    while (placeOf.putIfAbsent(member, walked.size()) == null) {
      walked.add(member);
      member = predecessorBy(requireNonNull(waitsBy.get(member)));
    }
    List<Integer> members = walked.subList(requireNonNull(placeOf.get(member)), walked.size());
    int last =
        members.stream().mapToInt(one -> requireNonNull(waitsBy.get(one))).max().orElseThrow();
    return new Flaw.Cycle(last, members);
  }

  private int predecessorBy(int edge) {
    return ((Predecessor.Member) edges.get(edge).predecessor()).index();
  }
}
