package io.kairos.bench.rig;

/** The input and output topic of one run and the name of the route between them. */
public record RouteTopics(String route, String input, String output, int partitions) {
  public static RouteTopics named(String route, int partitions) {
    return new RouteTopics(route, route + ".in", route + ".out", partitions);
  }
}
