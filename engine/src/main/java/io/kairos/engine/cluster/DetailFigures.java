package io.kairos.engine.cluster;

import io.kairos.domain.task.queue.PoolName;
import io.kairos.domain.task.queue.TaskHandler;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;

/**
 * Figures by handler and by endpoint: of a node in a period or in its last minute, or of all nodes
 * together in their last minute. Handlers and endpoints of which there is nothing to say are
 * absent. Immutable.
 */
public record DetailFigures(
    Map<TaskHandler, Attempts> handlers, Map<Endpoint, EndpointWork> endpoints) {
  /** Nothing was done. */
  public static final DetailFigures NONE = new DetailFigures(Map.of(), Map.of());

  /** Most handlers of which a node tells, and most endpoints. */
  public static final int MOST_TOLD = 200;

  /** Characters of the longest name that a node tells. */
  static final int LONGEST_NAME = 300;

  private static final Comparator<Attempts> BUSIEST_LAST =
      Comparator.comparingLong(attempts -> attempts.begun() + attempts.ended());
  private static final Comparator<EndpointWork> WORST_LAST =
      Comparator.comparingInt(EndpointWork::ejecting)
          .thenComparingLong(EndpointWork::ejections)
          .thenComparingLong(EndpointWork::inFlight)
          .thenComparingLong(work -> work.answers().total());

  public DetailFigures {
    handlers = Map.copyOf(handlers);
    endpoints = Map.copyOf(endpoints);
  }

  /**
   * Attempts at tasks of a handler.
   *
   * @param begun that workers began
   * @param ended whose end workers reported
   * @param failed of these, those that failed, whether or not another follows
   */
  public record Attempts(long begun, long ended, long failed) {
    private Attempts plus(Attempts other) {
      return new Attempts(begun + other.begun, ended + other.ended, failed + other.failed);
    }
  }

  /**
   * An address of a pool.
   *
   * @param name the name of {@link io.kairos.engine.pool.EndpointView}
   */
  public record Endpoint(PoolName pool, String name) {}

  /**
   * Requests of nodes to an endpoint.
   *
   * @param inFlight requests under way
   * @param ejecting nodes that have it ejected
   * @param ejections times that it was ejected in the last hour
   * @param answers the times that its answers took
   */
  public record EndpointWork(long inFlight, int ejecting, long ejections, LatenessCounts answers) {
    /** False when there is nothing to say. */
    public boolean isKnown() {
      return inFlight > 0 || ejecting > 0 || ejections > 0 || !answers.equals(LatenessCounts.NONE);
    }

    private EndpointWork plus(EndpointWork other) {
      return new EndpointWork(
          inFlight + other.inFlight,
          ejecting + other.ejecting,
          ejections + other.ejections,
          answers.plus(other.answers));
    }

    /** Counts are added; states are those of the later one. */
    private EndpointWork then(EndpointWork later) {
      return new EndpointWork(
          later.inFlight, later.ejecting, later.ejections, answers.plus(later.answers));
    }

    private EndpointWork over() {
      return new EndpointWork(0, 0, 0, answers);
    }
  }

  /** True when there is nothing to say. */
  public boolean isEmpty() {
    return handlers.isEmpty() && endpoints.isEmpty();
  }

  /** The sum of two nodes. */
  public DetailFigures plus(DetailFigures other) {
    return new DetailFigures(
        merged(handlers, other.handlers, Attempts::plus),
        merged(endpoints, other.endpoints, EndpointWork::plus));
  }

  /** The sum of two periods of one node. */
  DetailFigures then(DetailFigures later) {
    Map<Endpoint, EndpointWork> before = new HashMap<>();
    endpoints.forEach((endpoint, work) -> before.put(endpoint, work.over()));
    return new DetailFigures(
        merged(handlers, later.handlers, Attempts::plus),
        merged(before, later.endpoints, EndpointWork::then));
  }

  private static <K, V> Map<K, V> merged(
      Map<K, V> ones, Map<K, V> others, BinaryOperator<V> together) {
    Map<K, V> merged = new HashMap<>(ones);
    others.forEach((key, value) -> merged.merge(key, value, together));
    return merged;
  }

  /** The busiest handlers and the most troubled endpoints, so many as a node tells of. */
  DetailFigures bounded() {
    return new DetailFigures(
        handlers.entrySet().stream()
            .filter(entry -> entry.getKey().wireName().length() <= LONGEST_NAME)
            .sorted(Map.Entry.comparingByValue(BUSIEST_LAST.reversed()))
            .limit(MOST_TOLD)
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)),
        endpoints.entrySet().stream()
            .filter(entry -> entry.getKey().name().length() <= LONGEST_NAME)
            .sorted(Map.Entry.comparingByValue(WORST_LAST.reversed()))
            .limit(MOST_TOLD)
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
  }
}
