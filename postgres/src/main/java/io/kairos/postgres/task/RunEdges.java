package io.kairos.postgres.task;

import io.kairos.domain.schedule.definition.ScheduleId;
import io.kairos.domain.schedule.fire.RunTurns;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.graph.GraphEdge;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.engine.task.port.InsertRequest;
import io.kairos.postgres.task.FiredTasks.Fired;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The edges of new runs: those between the tasks of a run, and those by which runs follow each
 * other. Runs of one task each follow each other by an ordering key, unless one has to wait for a
 * run of several tasks. The tasks that new ones wait for are locked.
 *
 * @param turns of schedules whose last run of several tasks has changed, that run; null for none
 */
record RunEdges(List<EdgePlacement> placements, Map<ScheduleId, @Nullable TaskId> turns) {
  /**
   * Decides on the edges.
   *
   * @param unfinished tasks of earlier runs that new ones wait for, locked
   */
  static RunEdges place(
      Connection connection, List<Fired> fired, Map<ScheduleId, List<TaskId>> unfinished) {
    List<EdgePlacement> placements = new ArrayList<>();
    Map<ScheduleId, @Nullable TaskId> turns = new HashMap<>();
    for (Fired one : fired) {
      List<GraphEdge> edges = new ArrayList<>(one.edges());
      List<TaskId> before = unfinished.getOrDefault(one.schedule(), List.of());
      if (one.isByEdges()) {
        List<TaskId> tasks = one.tasks().stream().map(arrival -> arrival.task().id()).toList();
        if (one.isOfGraphs()) {
          turns.put(one.schedule(), RunTurns.last(tasks, one.turn()));
        } else if (before.isEmpty()) {
          turns.put(one.schedule(), null);
        }
        if (one.isOfGraphs() || !before.isEmpty()) {
          edges.addAll(RunTurns.edges(tasks, one.edges(), before));
        }
      }
      if (!edges.isEmpty()) {
        placements.add(new EdgePlacement(new InsertRequest(one.tasks(), edges), Map.of()));
      }
    }
    if (!placements.isEmpty() && !EdgePlacement.lock(connection, placements).isEmpty()) {
      throw new StoreUnavailable("a run that the next one waits for has just been removed");
    }
    return new RunEdges(placements, turns);
  }

  Set<TaskId> awaiting() {
    Set<TaskId> awaiting = new HashSet<>();
    placements.forEach(one -> awaiting.addAll(one.awaiting()));
    return awaiting;
  }

  void insert(Connection connection) {
    if (!placements.isEmpty()) {
      EdgePlacement.insert(connection, placements);
    }
  }
}
