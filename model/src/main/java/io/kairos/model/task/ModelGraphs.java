package io.kairos.model.task;

import io.kairos.domain.schedule.fire.RunTurns;
import io.kairos.domain.task.TaskEvent;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.batch.BatchId;
import io.kairos.domain.task.graph.EdgeEffect;
import io.kairos.domain.task.graph.GraphEdge;
import io.kairos.domain.task.graph.OnFailure;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.engine.task.port.FollowedEnds;
import io.kairos.engine.task.port.InsertRequest;
import io.kairos.engine.task.port.InsertResult;
import io.kairos.engine.task.port.PredecessorQuery;
import io.kairos.engine.task.port.Predecessors;
import io.kairos.engine.task.port.SweptEdges;
import io.kairos.engine.task.port.operator.TaskGraphView;
import io.kairos.engine.task.port.operator.UnfinishedTasks;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The edges between tasks of {@link ModelTaskStore}. Not thread-safe: its owner locks. */
final class ModelGraphs {
  private static final Comparator<SweptEdges.Position> ORDER =
      Comparator.comparing(SweptEdges.Position::predecessor)
          .thenComparing(SweptEdges.Position::successor);

  private final TaskTable tasks;
  private final ModelOrderingKeys keys;
  private final ModelBatches batches;
  private final int mostReadyAtOnce;
  private final Map<TaskId, List<Edge>> before = new HashMap<>();
  private final Map<TaskId, List<Edge>> behind = new HashMap<>();

  /** Tasks with an end of which not all successors have been told. */
  private final Set<TaskId> ended = new LinkedHashSet<>();

  /**
   * @param mostReadyAtOnce bound on the edges that one call of {@link #follow} closes
   */
  ModelGraphs(TaskTable tasks, ModelOrderingKeys keys, ModelBatches batches, int mostReadyAtOnce) {
    this.tasks = tasks;
    this.keys = keys;
    this.batches = batches;
    this.mostReadyAtOnce = mostReadyAtOnce;
    tasks.whenOneEnds(row -> hasEnded(row.id()));
    batches.whenOneEnds(batch -> hasEnded(batch.asPredecessor()));
  }

  private void hasEnded(TaskId predecessor) {
    if (behind.containsKey(predecessor)) {
      ended.add(predecessor);
    }
  }

  /** How a task or a batch has ended; null for one that is unfinished, or not known. */
  private @Nullable TaskState endOf(TaskId predecessor) {
    TaskRow row = tasks.finished(predecessor);
    return row == null ? batches.endOf(new BatchId(predecessor.value())) : row.state();
  }

  private boolean isUnfinished(TaskId predecessor) {
    return tasks.live(predecessor) != null
        || batches.isUnfinished(new BatchId(predecessor.value()));
  }

  private boolean isKnown(TaskId predecessor) {
    return isUnfinished(predecessor) || endOf(predecessor) != null;
  }

  private static final class Edge {
    final GraphEdge what;
    boolean isOpen;

    Edge(GraphEdge what, boolean isOpen) {
      this.what = what;
      this.isOpen = isOpen;
    }

    SweptEdges.Position position() {
      return new SweptEdges.Position(what.predecessor(), what.successor());
    }
  }

  /**
   * The edges of a request that are to be stored.
   *
   * @param awaiting the new tasks that begin as awaiting
   */
  record Resolved(Map<GraphEdge, Boolean> openEdges, Set<TaskId> awaiting) {}

  /**
   * Decides on the edges of a request; nothing has been changed yet.
   *
   * @param formers the tasks that had been stored before, by the ids of their duplicates
   * @return a result when the request is refused
   */
  Optional<InsertResult> refusal(InsertRequest request, Map<TaskId, TaskId> formers) {
    Set<TaskId> fresh = fresh(request, formers);
    for (int i = 0; i < request.edges().size(); i++) {
      TaskId given = request.edges().get(i).predecessor();
      TaskId predecessor = formers.getOrDefault(given, given);
      if (!formers.containsKey(request.edges().get(i).successor())
          && !fresh.contains(predecessor)
          && !isKnown(predecessor)) {
        return Optional.of(new InsertResult.UnknownPredecessor(i, predecessor));
      }
    }
    return Optional.empty();
  }

  private static Set<TaskId> fresh(InsertRequest request, Map<TaskId, TaskId> formers) {
    Set<TaskId> fresh = new HashSet<>();
    request.arrivals().forEach(arrival -> fresh.add(arrival.task().id()));
    fresh.removeAll(formers.keySet());
    return fresh;
  }

  /** Returns the edges of a request that is not refused, and the tasks that wait by them. */
  Resolved resolved(InsertRequest request, Map<TaskId, TaskId> formers) {
    Map<GraphEdge, Boolean> edges = new LinkedHashMap<>();
    Set<List<TaskId>> pairs = new HashSet<>();
    Set<TaskId> awaiting = new HashSet<>();
    for (GraphEdge given : request.edges()) {
      TaskId predecessor = formers.getOrDefault(given.predecessor(), given.predecessor());
      TaskId successor = given.successor();
      if (formers.containsKey(successor) || !pairs.add(List.of(predecessor, successor))) {
        continue;
      }
      TaskState past = endOf(predecessor);
      boolean isOpen =
          past == null || EdgeEffect.of(given.onFailure(), past) != EdgeEffect.SATISFIED;
      edges.put(new GraphEdge(predecessor, successor, given.onFailure()), isOpen);
      if (isOpen) {
        awaiting.add(successor);
      }
    }
    return new Resolved(edges, awaiting);
  }

  void store(Resolved resolved) {
    resolved
        .openEdges()
        .forEach((what, isOpen) -> {
          Edge edge = new Edge(what, isOpen);
          before.computeIfAbsent(what.successor(), _ -> new ArrayList<>()).add(edge);
          behind.computeIfAbsent(what.predecessor(), _ -> new ArrayList<>()).add(edge);
          if (isOpen && endOf(what.predecessor()) != null) {
            ended.add(what.predecessor());
          }
        });
  }

  /**
   * Makes the successors ready that wait for just these ends, as many as one call may.
   *
   * @return the tasks that wait for their due time now
   */
  List<TaskRow> follow(Collection<TaskId> ends) {
    List<TaskRow> ready = new ArrayList<>();
    int left = mostReadyAtOnce;
    for (TaskId end : ends.stream().sorted().toList()) {
      if (ended.contains(end)) {
        left -= satisfy(end, left, ready);
        forgetIfDone(end);
      }
    }
    return ready;
  }

  FollowedEnds followEnds(Optional<TaskId> after, int limit, long now) {
    List<TaskId> some =
        ended.stream()
            .filter(end -> after.isEmpty() || end.compareTo(after.get()) > 0)
            .sorted()
            .limit(limit)
            .toList();
    for (TaskId end : some) {
      if (!isUnfinished(end)) {
        satisfy(end, limit, new ArrayList<>());
        affect(end, EdgeEffect.FAILS, limit, now);
        affect(end, EdgeEffect.CANCELS, limit, now);
      }
      forgetIfDone(end);
    }
    return new FollowedEnds(some.size() < limit ? null : some.getLast(), some.size(), null);
  }

  /** Ends of which some successors have not been told. */
  Set<TaskId> untold() {
    return Collections.unmodifiableSet(ended);
  }

  private void forgetIfDone(TaskId end) {
    if (isUnfinished(end)
        || behind(end)
            .noneMatch(edge ->
                switch (effect(edge)) {
                  case SATISFIED -> true;
                  case FAILS, CANCELS -> awaiting(edge) != null;
                  case STAYS_OPEN -> false;
                })) {
      ended.remove(end);
    }
  }

  private Stream<Edge> behind(TaskId end) {
    return behind.getOrDefault(end, List.of()).stream()
        .filter(edge -> edge.isOpen)
        .sorted(Comparator.comparing(Edge::position, ORDER));
  }

  private EdgeEffect effect(Edge edge) {
    TaskState end = endOf(edge.what.predecessor());
    OnFailure onFailure = edge.what.onFailure();
    return end == null ? EdgeEffect.ofForgotten(onFailure) : EdgeEffect.of(onFailure, end);
  }

  private @Nullable TaskRow awaiting(Edge edge) {
    TaskRow row = tasks.live(edge.what.successor());
    return row != null && row.state() == TaskState.AWAITING ? row : null;
  }

  /** Closes edges, adds the tasks that are ready by that, and returns how many were closed. */
  private int satisfy(TaskId end, int limit, List<TaskRow> ready) {
    List<Edge> some =
        behind(end).filter(edge -> effect(edge) == EdgeEffect.SATISFIED).limit(limit).toList();
    for (Edge edge : some) {
      edge.isOpen = false;
      TaskRow row = awaiting(edge);
      if (row != null && !isOpenBefore(row.id())) {
        ready.add(row);
        tasks.change(row, one -> one.happens(TaskEvent.READY));
      }
    }
    return some.size();
  }

  private boolean isOpenBefore(TaskId successor) {
    return before.getOrDefault(successor, List.of()).stream().anyMatch(edge -> edge.isOpen);
  }

  private void affect(TaskId end, EdgeEffect effect, int limit, long now) {
    List<TaskRow> affected =
        behind(end)
            .filter(edge -> effect(edge) == effect)
            .flatMap(edge -> Stream.ofNullable(awaiting(edge)))
            .limit(limit)
            .toList();
    for (TaskRow row : affected) {
      if (effect == EdgeEffect.CANCELS) {
        tasks.change(row, one -> one.ends(TaskEvent.CANCEL, now));
      } else {
        tasks.fail(row, TaskEvent.PREDECESSOR_FAILED, failure(end), now);
      }
    }
    keys.left(affected);
  }

  private String failure(TaskId end) {
    return endOf(end) == null
        ? "its predecessor " + end + " was removed before it had succeeded"
        : "its predecessor " + end + " failed";
  }

  /**
   * Makes tasks that were put back wait again for predecessors that have not ended as they must.
   * For those that were removed they wait no more.
   */
  void putBack(List<TaskRow> rows) {
    for (TaskRow row : rows) {
      List<Edge> edges = before.getOrDefault(row.id(), List.of());
      edges.forEach(edge -> edge.isOpen &= isKnown(edge.what.predecessor()));
      List<Edge> open = edges.stream().filter(edge -> edge.isOpen).toList();
      if (!open.isEmpty()) {
        tasks.change(row, one -> one.happens(TaskEvent.AWAIT));
        open.stream()
            .map(edge -> edge.what.predecessor())
            .filter(predecessor -> endOf(predecessor) != null)
            .forEach(ended::add);
      }
    }
  }

  boolean hasPredecessors(TaskId task) {
    return before.containsKey(task);
  }

  /** What a task has waited for. */
  Predecessors predecessors(PredecessorQuery query, Function<TaskRow, TaskHandler> handlers) {
    List<Edge> edges =
        before.getOrDefault(query.successor(), List.of()).stream()
            .filter(edge -> !RunTurns.isTurn(edge.what))
            .toList();
    List<TaskId> some =
        edges.stream().map(edge -> edge.what.predecessor()).limit(query.limit()).sorted().toList();
    Set<TaskId> given = new HashSet<>();
    long left = query.bytesOfValues(some.size());
    List<TaskId> bySize =
        some.stream()
            .sorted(Comparator.comparingInt(this::valueBytes).thenComparing(id -> id))
            .toList();
    for (TaskId one : bySize) {
      left -= valueBytes(one);
      if (left >= 0) {
        given.add(one);
      }
    }
    return new Predecessors(
        some.stream().map(one -> predecessor(one, given.contains(one), handlers)).toList(),
        edges.size() <= query.limit());
  }

  private int valueBytes(TaskId id) {
    TaskRow row = tasks.finished(id);
    return row == null ? 0 : row.result().value().length;
  }

  private Predecessors.Predecessor predecessor(
      TaskId id, boolean isGiven, Function<TaskRow, TaskHandler> handlers) {
    BatchId batch = new BatchId(id.value());
    TaskHandler handler = batches.handlerOf(batch);
    if (handler != null) {
      return new Predecessors.Predecessor(id, handler, batches.endOf(batch), null, 0, true);
    }
    TaskRow row = tasks.any(id);
    TaskRow ended = tasks.finished(id);
    return new Predecessors.Predecessor(
        id,
        row == null ? null : handlers.apply(row),
        row == null ? null : row.state(),
        ended == null || !isGiven || ended.result().isNone() ? null : ended.result(),
        valueBytes(id),
        false);
  }

  SweptEdges sweep(Optional<SweptEdges.Position> after, int limit) {
    List<Edge> some =
        behind.values().stream()
            .flatMap(Collection::stream)
            .filter(edge -> after.isEmpty() || ORDER.compare(edge.position(), after.get()) > 0)
            .sorted(Comparator.comparing(Edge::position, ORDER))
            .limit(limit)
            .toList();
    int deleted = 0;
    for (Edge edge : some) {
      if (tasks.any(edge.what.successor()) == null) {
        delete(edge);
        deleted++;
      } else if (edge.isOpen
          && awaiting(edge) != null
          && !isUnfinished(edge.what.predecessor())
          && effect(edge) != EdgeEffect.STAYS_OPEN) {
        ended.add(edge.what.predecessor());
      }
    }
    return some.isEmpty() ? SweptEdges.NONE : new SweptEdges(some.getLast().position(), deleted);
  }

  private void delete(Edge edge) {
    remove(before, edge.what.successor(), edge);
    remove(behind, edge.what.predecessor(), edge);
  }

  private static void remove(Map<TaskId, List<Edge>> edges, TaskId of, Edge edge) {
    List<Edge> some = edges.getOrDefault(of, new ArrayList<>());
    some.remove(edge);
    if (some.isEmpty()) {
      edges.remove(of);
    }
  }

  /** The edges of a task, without those between runs of a schedule. */
  private static Stream<Edge> edges(Map<TaskId, List<Edge>> edges, TaskId task) {
    return edges.getOrDefault(task, List.of()).stream().filter(edge -> !RunTurns.isTurn(edge.what));
  }

  TaskGraphView view(TaskId id, int maxTasks, int maxEdges) {
    Set<TaskId> members = new LinkedHashSet<>(List.of(id));
    Deque<TaskId> next = new ArrayDeque<>(members);
    boolean hasMore = false;
    while (!next.isEmpty()) {
      TaskId member = next.remove();
      List<TaskId> neighbours = new ArrayList<>();
      edges(before, member).forEach(edge -> neighbours.add(edge.what.predecessor()));
      edges(behind, member).forEach(edge -> neighbours.add(edge.what.successor()));
      for (TaskId neighbour : neighbours) {
        if (members.contains(neighbour)) {
          continue;
        }
        if (members.size() == maxTasks) {
          hasMore = true;
        } else {
          members.add(neighbour);
          next.add(neighbour);
        }
      }
    }
    Map<TaskId, TaskState> states = new TreeMap<>();
    for (TaskId member : members) {
      TaskRow row = tasks.any(member);
      if (row != null) {
        states.put(member, row.state());
      }
    }
    List<TaskGraphView.Edge> edges =
        members.stream()
            .flatMap(member -> before.getOrDefault(member, List.of()).stream())
            .filter(edge -> members.contains(edge.what.predecessor()))
            .sorted(
                Comparator.<Edge, TaskId>comparing(edge -> edge.what.successor())
                    .thenComparing(edge -> edge.what.predecessor()))
            .map(edge -> new TaskGraphView.Edge(edge.what, edge.isOpen))
            .toList();
    return new TaskGraphView(
        states, edges.stream().limit(maxEdges).toList(), hasMore || edges.size() > maxEdges);
  }

  UnfinishedTasks unfinishedFrom(TaskId id, int limit) {
    Set<TaskId> members = new HashSet<>(List.of(id));
    Deque<TaskId> next = new ArrayDeque<>(members);
    while (!next.isEmpty()) {
      edges(behind, next.remove())
          .map(edge -> edge.what.successor())
          .filter(members::add)
          .forEach(next::add);
    }
    List<TaskId> unfinished =
        members.stream()
            .filter(member -> {
              TaskRow row = tasks.live(member);
              return row != null && !row.cancelRequested();
            })
            .sorted(Comparator.reverseOrder())
            .toList();
    return new UnfinishedTasks(
        unfinished.stream().limit(limit).toList(), unfinished.size() > limit);
  }
}
