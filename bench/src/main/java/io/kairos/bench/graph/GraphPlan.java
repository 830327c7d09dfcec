package io.kairos.bench.graph;

import io.kairos.bench.graph.GraphWorkerMain.Course;
import io.kairos.domain.task.graph.OnFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A graph of random shape: a chain, a fan-out with a join, a diamond of several layers, or tasks
 * with any edges between them.
 */
record GraphPlan(List<Planned> tasks) {
  private static final int LONG_ONE_IN = 200;
  private static final int LONG_MILLIS = 3_000;
  private static final int SHORT_MILLIS = 30;

  /**
   * A task of the graph.
   *
   * @param after earlier tasks of the graph
   */
  record Planned(Course course, int millis, List<Awaited> after) {}

  /**
   * An edge to an earlier task.
   *
   * @param index of the task in its graph
   */
  record Awaited(int index, OnFailure onFailure) {}

  static GraphPlan draw(SplittableRandom random) {
    GraphPlan plan = new GraphPlan(new ArrayList<>());
    switch (random.nextInt(4)) {
      case 0 -> plan.chain(random.nextInt(2, 12), random);
      case 1 -> plan.layers(List.of(1, random.nextInt(2, 20), 1), random);
      case 2 ->
          plan.layers(
              List.of(random.nextInt(1, 6), random.nextInt(1, 6), random.nextInt(1, 6)), random);
      default -> plan.anyEdges(random.nextInt(2, 15), random);
    }
    return plan;
  }

  private void chain(int length, SplittableRandom random) {
    for (int i = 0; i < length; i++) {
      add(i == 0 ? List.of() : List.of(i - 1), random);
    }
  }

  /** Each task waits for all of the layer before. */
  private void layers(List<Integer> sizes, SplittableRandom random) {
    List<Integer> before = List.of();
    for (int size : sizes) {
      List<Integer> layer = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        layer.add(tasks.size());
        add(before, random);
      }
      before = layer;
    }
  }

  private void anyEdges(int count, SplittableRandom random) {
    for (int i = 0; i < count; i++) {
      List<Integer> after = new ArrayList<>();
      for (int earlier = 0; earlier < i; earlier++) {
        if (random.nextInt(3) == 0) {
          after.add(earlier);
        }
      }
      add(after, random);
    }
  }

  private void add(List<Integer> after, SplittableRandom random) {
    tasks.add(
        new Planned(
            course(random),
            random.nextInt(LONG_ONE_IN) == 0 ? LONG_MILLIS : random.nextInt(SHORT_MILLIS),
            after.stream().map(index -> new Awaited(index, onFailure(random))).toList()));
  }

  private static Course course(SplittableRandom random) {
    int kind = random.nextInt(100);
    return kind < 4 ? Course.FAIL : kind < 8 ? Course.RETRY : Course.SUCCEED;
  }

  static OnFailure onFailure(SplittableRandom random) {
    OnFailure[] all = OnFailure.values();
    return all[random.nextInt(all.length)];
  }
}
