package io.kairos.domain.task.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.graph.TaskGraph.Edge;
import io.kairos.domain.task.graph.TaskGraph.Flaw;
import io.kairos.domain.task.graph.TaskGraph.Predecessor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class TaskGraphTest {
  private static Edge edge(int predecessor, int successor) {
    return new Edge(new Predecessor.Member(predecessor), successor, OnFailure.FAIL);
  }

  private static Edge afterStored(int successor) {
    return new Edge(new Predecessor.Stored(new TaskId(new UUID(1, 1))), successor, OnFailure.BLOCK);
  }

  private static TaskGraph graph(int tasks, Edge... edges) {
    return new TaskGraph(tasks, List.of(edges));
  }

  @Test
  void a_diamond_behind_a_stored_task_is_sound_and_in_order() {
    TaskGraph diamond = graph(4, afterStored(3), edge(3, 1), edge(3, 2), edge(1, 0), edge(2, 0));

    assertThat(diamond.flaw()).isEmpty();
    assertThat(diamond.order()).containsExactly(3, 1, 2, 0);
  }

  @Test
  void tasks_without_edges_keep_their_order() {
    assertThat(graph(3).flaw()).isEmpty();
    assertThat(graph(3).order()).containsExactly(0, 1, 2);
  }

  @Test
  void a_cycle_is_named_by_its_last_edge_and_its_members() {
    TaskGraph graph = graph(5, edge(0, 1), edge(3, 1), edge(1, 2), edge(2, 3), edge(3, 4));

    assertThat(graph.flaw()).contains(new Flaw.Cycle(3, List.of(1, 3, 2)));
    assertThatIllegalStateException().isThrownBy(graph::order);
  }

  @Test
  void a_task_that_waits_for_itself_is_a_cycle() {
    assertThat(graph(2, edge(0, 1), edge(1, 1)).flaw()).contains(new Flaw.Cycle(1, List.of(1)));
  }

  @Test
  void an_edge_to_or_from_a_task_that_is_not_there_is_named() {
    assertThat(graph(2, edge(0, 1), edge(0, 2)).flaw()).contains(new Flaw.NoSuchTask(1, 2));
    assertThat(graph(2, edge(2, 1)).flaw()).contains(new Flaw.NoSuchTask(0, 2));
    assertThat(graph(2, edge(-1, 1)).flaw()).contains(new Flaw.NoSuchTask(0, -1));
  }

  @Test
  void a_repeated_edge_is_named_with_the_earlier_one() {
    assertThat(graph(2, edge(0, 1), afterStored(1), afterStored(1)).flaw())
        .contains(new Flaw.Repeated(2, 1));
  }

  @Test
  void more_edges_than_the_bound_are_refused() {
    List<Edge> many = Collections.nCopies(TaskGraph.MOST_EDGES + 1, edge(0, 1));

    assertThat(new TaskGraph(2, many).flaw())
        .contains(new Flaw.TooManyEdges(TaskGraph.MOST_EDGES + 1));
  }

  @Test
  void a_long_chain_needs_no_stack() {
    int tasks = TaskGraph.MOST_EDGES;
    List<Edge> chain =
        IntStream.range(1, tasks).mapToObj(i -> edge(tasks - i, tasks - i - 1)).toList();

    assertThat(new TaskGraph(tasks, chain).flaw()).isEmpty();
    assertThat(new TaskGraph(tasks, chain).order().getFirst()).isEqualTo(tasks - 1);
  }

  @Test
  void every_order_has_predecessors_first_and_every_flaw_is_a_cycle_of_edges() {
    Random random = new Random(17);
    for (int round = 0; round < 2_000; round++) {
      int tasks = 1 + random.nextInt(8);
      List<Edge> edges = new ArrayList<>();
      for (int from = 0; from < tasks; from++) {
        for (int to = 0; to < tasks; to++) {
          if (random.nextInt(6) == 0) {
            edges.add(edge(from, to));
          }
        }
      }
      Collections.shuffle(edges, random);
      TaskGraph graph = new TaskGraph(tasks, edges);
      graph.flaw().ifPresentOrElse(flaw -> assertIsCycle(graph, flaw), () -> assertOrdered(graph));
    }
  }

  private static void assertOrdered(TaskGraph graph) {
    List<Integer> order = graph.order();
    assertThat(order).hasSize(graph.tasks()).doesNotHaveDuplicates();
    for (Edge edge : graph.edges()) {
      int from = ((Predecessor.Member) edge.predecessor()).index();
      assertThat(order.indexOf(from)).isLessThan(order.indexOf(edge.successor()));
    }
  }

  private static void assertIsCycle(TaskGraph graph, Flaw flaw) {
    Flaw.Cycle cycle = (Flaw.Cycle) flaw;
    List<Integer> members = cycle.members();
    List<Integer> used = new ArrayList<>();
    for (int i = 0; i < members.size(); i++) {
      Edge edge = edge(members.get((i + 1) % members.size()), members.get(i));
      assertThat(graph.edges()).contains(edge);
      used.add(graph.edges().indexOf(edge));
    }
    assertThat(cycle.edge()).isEqualTo(Collections.max(used));
  }
}
