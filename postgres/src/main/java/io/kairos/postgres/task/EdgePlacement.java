package io.kairos.postgres.task;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.graph.EdgeEffect;
import io.kairos.domain.task.graph.GraphEdge;
import io.kairos.engine.task.port.InsertRequest;
import io.kairos.engine.task.port.InsertResult;
import io.kairos.engine.task.port.NewTask;
import io.kairos.postgres.sql.ColumnBatch;
import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.SqlStatement;
import io.kairos.postgres.task.row.TaskStateColumn;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The edges of one request: which of them are stored, and which tasks begin as awaiting. The stored
 * predecessors are locked first, so that none of them ends before the edges are there.
 */
final class EdgePlacement {
  private static final SqlStatement ANY = SqlStatement.load("task/edge_any.sql");
  private static final SqlStatement LOCK = SqlStatement.load("task/edge_lock.sql");
  private static final SqlStatement PAST = SqlStatement.load("task/edge_past.sql");
  private static final SqlStatement NOTE = SqlStatement.load("task/edge_note.sql");
  private static final SqlStatement INSERT = SqlStatement.load("task/edge_insert.sql");
  private static final SqlStatement AWAITED = SqlStatement.load("task/batch/awaited.sql");

  /** The migration that brought edges. */
  private static final int SINCE = 15;

  /** Of the 100,000 edges that a call may have. */
  private static final int MOST_IN_A_STATEMENT = 10_000;

  /** A task may be put back between the statement for unfinished tasks and the one for ends. */
  private static final int TRIES = 2;

  private final InsertRequest request;
  private final Map<TaskId, TaskId> formers;
  private final Set<TaskId> fresh = new HashSet<>();
  private final Map<TaskId, Map<TaskId, Edge>> bySuccessor = new TreeMap<>();
  private final Set<TaskId> awaiting = new HashSet<>();

  /** Predecessors that have ended and do more than satisfy an edge. */
  private final NavigableSet<TaskId> ended = new TreeSet<>();

  private record Edge(GraphEdge what, boolean isOpen) {}

  /**
   * The edges of a request.
   *
   * @param formers the tasks that had been stored before, by the ids of their duplicates
   */
  EdgePlacement(InsertRequest request, Map<TaskId, TaskId> formers) {
    this.request = request;
    this.formers = Map.copyOf(formers);
    request.arrivals().forEach(arrival -> fresh.add(arrival.task().id()));
    fresh.removeAll(formers.keySet());
  }

  /**
   * The number of nodes that do not know edges; none while there are edges, because such nodes are
   * refused then. Nobody enrols until the transaction ends if there are none.
   */
  static int olderNodes(Connection connection) {
    return OlderNodes.count(connection, ANY, SINCE);
  }

  /** A stored task, or a batch, that is named as a predecessor: unfinished, ended, or not known. */
  private sealed interface Found {
    record Unfinished() implements Found {}

    record Ended(TaskState state) implements Found {}
  }

  /**
   * Looks for the stored predecessors of all requests, tasks first, locks those that are
   * unfinished, decides on the edges, and has ended predecessors looked at that do more than
   * satisfy one.
   *
   * @return the refusals, by the index of the request
   */
  static Map<Integer, InsertResult> lock(Connection connection, List<EdgePlacement> requests) {
    NavigableSet<TaskId> stored = new TreeSet<>();
    requests.forEach(one -> one.addStored(stored));
    Map<TaskId, Found> found = new HashMap<>();
    for (int i = 0; i < TRIES && !stored.isEmpty(); i++) {
      for (List<TaskId> some : inStatements(stored)) {
        LOCK.on(connection)
            .with("ids", ColumnBatch.uuids(some, TaskId::value))
            .each(
                row -> found.put(new TaskId(NonNullColumns.uuid(row, 1)), new Found.Unfinished()));
      }
      stored.removeAll(found.keySet());
      if (!stored.isEmpty()) {
        for (List<TaskId> some : inStatements(stored)) {
          PAST.on(connection)
              .with("ids", ColumnBatch.uuids(some, TaskId::value))
              .each(row ->
                  found.put(
                      new TaskId(NonNullColumns.uuid(row, 1)),
                      new Found.Ended(TaskStateColumn.of(NonNullColumns.text(row, 2)))));
        }
        stored.removeAll(found.keySet());
      }
    }
    if (!stored.isEmpty()) {
      AWAITED
          .on(connection)
          .with("ids", ColumnBatch.uuids(stored, TaskId::value))
          .each(row -> {
            String end = row.getString(2);
            found.put(
                new TaskId(NonNullColumns.uuid(row, 1)),
                end == null ? new Found.Unfinished() : new Found.Ended(TaskStateColumn.of(end)));
          });
    }
    Map<Integer, InsertResult> refusals = new HashMap<>();
    NavigableSet<TaskId> ended = new TreeSet<>();
    for (int i = 0; i < requests.size(); i++) {
      EdgePlacement one = requests.get(i);
      Optional<InsertResult> refusal = one.decide(found);
      if (refusal.isPresent()) {
        refusals.put(i, refusal.get());
      } else {
        ended.addAll(one.ended);
      }
    }
    for (List<TaskId> some : inStatements(ended)) {
      NOTE.on(connection).with("ids", ColumnBatch.uuids(some, TaskId::value)).update();
    }
    return refusals;
  }

  /** In their order, so many that a statement takes no second. */
  static <T> List<List<T>> inStatements(Collection<T> all) {
    List<T> list = List.copyOf(all);
    List<List<T>> some = new ArrayList<>();
    for (int from = 0; from < list.size(); from += MOST_IN_A_STATEMENT) {
      some.add(list.subList(from, Math.min(list.size(), from + MOST_IN_A_STATEMENT)));
    }
    return some;
  }

  private void addStored(Collection<TaskId> stored) {
    for (GraphEdge edge : request.edges()) {
      if (fresh.contains(edge.successor()) && !fresh.contains(predecessor(edge))) {
        stored.add(predecessor(edge));
      }
    }
  }

  private TaskId predecessor(GraphEdge edge) {
    return formers.getOrDefault(edge.predecessor(), edge.predecessor());
  }

  private Optional<InsertResult> decide(Map<TaskId, Found> found) {
    for (int i = 0; i < request.edges().size(); i++) {
      GraphEdge edge = request.edges().get(i);
      TaskId predecessor = predecessor(edge);
      if (!fresh.contains(edge.successor())) {
        continue; // its edges were stored with it
      }
      Found stored = fresh.contains(predecessor) ? new Found.Unfinished() : found.get(predecessor);
      if (stored == null) {
        bySuccessor.clear();
        awaiting.clear();
        return Optional.of(new InsertResult.UnknownPredecessor(i, predecessor));
      }
      boolean isOpen =
          switch (stored) {
            case Found.Unfinished() -> true;
            case Found.Ended(TaskState end) ->
                EdgeEffect.of(edge.onFailure(), end) != EdgeEffect.SATISFIED;
          };
      GraphEdge what = new GraphEdge(predecessor, edge.successor(), edge.onFailure());
      Edge earlier =
          bySuccessor
              .computeIfAbsent(edge.successor(), _ -> new LinkedHashMap<>())
              .putIfAbsent(predecessor, new Edge(what, isOpen));
      if (earlier == null && isOpen) {
        awaiting.add(edge.successor());
      }
      if (isOpen && stored instanceof Found.Ended) {
        ended.add(predecessor);
      }
    }
    return Optional.empty();
  }

  /** The new tasks that begin as awaiting. */
  Set<TaskId> awaiting() {
    return Collections.unmodifiableSet(awaiting);
  }

  /** Stores edges, after their successors. */
  static void insert(Connection connection, List<EdgePlacement> requests) {
    List<Edge> edges = new ArrayList<>();
    List<Awaiting> awaiting = new ArrayList<>();
    NavigableMap<TaskId, Mark> marks = new TreeMap<>();
    for (EdgePlacement one : requests) {
      Map<TaskId, NewTask> tasks = new HashMap<>();
      one.request.arrivals().forEach(arrival -> tasks.put(arrival.task().id(), arrival.task()));
      one.bySuccessor.forEach((successor, some) -> {
        edges.addAll(some.values());
        int open = (int) some.values().stream().filter(Edge::isOpen).count();
        if (open > 0) {
          awaiting.add(new Awaiting(requireNonNull(tasks.get(successor)), open));
        } else {
          marks.merge(successor, Mark.HAS_PREDECESSORS, Mark::and);
        }
        some.keySet().stream()
            .filter(one.fresh::contains)
            .forEach(task -> marks.merge(task, Mark.HAS_SUCCESSORS, Mark::and));
      });
    }
    List<List<Edge>> statements = inStatements(edges);
    for (int i = 0; i < statements.size(); i++) {
      boolean isFirst = i == 0;
      insert(
          connection,
          statements.get(i),
          isFirst ? awaiting : List.of(),
          isFirst ? marks : Collections.emptyNavigableMap());
    }
  }

  private static void insert(
      Connection connection,
      List<Edge> edges,
      List<Awaiting> awaiting,
      NavigableMap<TaskId, Mark> marks) {
    INSERT
        .on(connection)
        .with("predecessors", ColumnBatch.uuids(edges, edge -> edge.what.predecessor().value()))
        .with("successors", ColumnBatch.uuids(edges, edge -> edge.what.successor().value()))
        .with(
            "on_failures",
            ColumnBatch.texts(edges, edge -> OnFailureColumn.code(edge.what.onFailure())))
        .with("opens", ColumnBatch.ints(edges, edge -> edge.isOpen ? 1 : 0))
        .with("awaiting", ColumnBatch.uuids(awaiting, one -> one.task.id().value()))
        .with("queue_ids", ColumnBatch.ints(awaiting, one -> one.task.queue().value()))
        .with("counts", ColumnBatch.ints(awaiting, Awaiting::open))
        .with("marked", ColumnBatch.uuids(marks.keySet(), TaskId::value))
        .with(
            "have_successors", ColumnBatch.ints(marks.values(), mark -> mark.hasSuccessors ? 1 : 0))
        .with(
            "have_predecessors",
            ColumnBatch.ints(marks.values(), mark -> mark.hasPredecessors ? 1 : 0))
        .update();
  }

  private record Awaiting(NewTask task, int open) {}

  /** Says of a new task that others wait for it, or that it has predecessors and awaits none. */
  private record Mark(boolean hasSuccessors, boolean hasPredecessors) {
    static final Mark HAS_SUCCESSORS = new Mark(true, false);
    static final Mark HAS_PREDECESSORS = new Mark(false, true);

    Mark and(Mark other) {
      return new Mark(
          hasSuccessors || other.hasSuccessors, hasPredecessors || other.hasPredecessors);
    }
  }
}
