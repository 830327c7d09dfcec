package io.kairos.server.config;

import io.kairos.domain.task.HandlerName;
import io.kairos.domain.task.PoolName;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One input→output pair of topics. The name is for ever: it is what the store knows the route's
 * messages and positions by.
 *
 * @param resultsTopic null for none
 */
public record RouteConfig(
    String name,
    String input,
    String output,
    Set<String> allowedOutputs,
    Set<HandlerName> allowedHandlers,
    Set<PoolName> allowedPools,
    String deadLetterTopic,
    @Nullable String resultsTopic,
    boolean relayId) {
  static final String PREFIX = "delay.routes";
  static final String DEFAULT_NAME = "default";

  private static final String DEFAULT_INPUT = "kairos.in";
  private static final String DEFAULT_OUTPUT = "kairos.out";
  private static final String DEFAULT_DEAD_LETTERS = "kairos.dead-letters";
  private static final Set<String> LEAVES =
      new LinkedHashSet<>(
          List.of(
              "input",
              "output",
              "allowed-outputs",
              "allowed-handlers",
              "allowed-pools",
              "dead-letter-topic",
              "results-topic",
              "relay-id"));

  public RouteConfig {
    allowedOutputs = Set.copyOf(allowedOutputs);
    allowedHandlers = Set.copyOf(allowedHandlers);
    allowedPools = Set.copyOf(allowedPools);
  }

  /** All routes, by name. Without any in the configuration there is one, called default. */
  public static List<RouteConfig> readAll(Settings settings) {
    Set<String> names = new TreeSet<>(settings.names(PREFIX, LEAVES));
    if (names.isEmpty()) {
      names.add(DEFAULT_NAME);
    }
    List<RouteConfig> routes = new ArrayList<>();
    for (String name : names) {
      read(settings, name).ifPresent(routes::add);
    }
    routes.forEach(route -> check(settings, route, routes));
    return routes;
  }

  private static Optional<RouteConfig> read(Settings settings, String name) {
    boolean isDefault = name.equals(DEFAULT_NAME);
    Optional<String> input =
        topic(
            settings,
            name,
            "input",
            isDefault ? DEFAULT_INPUT : "",
            "Topic that applications write delayed messages to. The route called default has kairos.in, every other must say.");
    Optional<String> output =
        topic(
            settings,
            name,
            "output",
            isDefault ? DEFAULT_OUTPUT : "",
            "Topic that messages are fired to. The route called default has kairos.out, every other must say.");
    Set<String> allowed =
        settings.value(
            key(name, "allowed-outputs"),
            Kind.TOPICS,
            Set.of(),
            "Further topics that a message may name in its header kairos-output-topic.");
    Set<HandlerName> handlers =
        settings.value(
            key(name, "allowed-handlers"),
            Kind.HANDLERS,
            Set.of(),
            "Handlers that a message may name in its header kairos-handler, to become a task of theirs when it is due.");
    Set<PoolName> pools =
        settings.value(
            key(name, "allowed-pools"),
            Kind.POOLS,
            Set.of(),
            "Pools that a message may name in its header kairos-pool, to be pushed to one of their endpoints when it is due.");
    Optional<String> deadLetters =
        topic(
            settings,
            name,
            "dead-letter-topic",
            DEFAULT_DEAD_LETTERS,
            "Topic for records that cannot be handled, with the reason in their headers.");
    Optional<String> results =
        settings.optional(
            key(name, "results-topic"),
            Kind.TOPIC,
            "Topic for the outcomes of cancel and reschedule records; without it they are only counted.");
    boolean relayId =
        settings.value(
            key(name, "relay-id"),
            Kind.FLAG,
            false,
            "Whether fired messages carry their id in the header kairos-id, for consumers that must notice duplicates.");
    return input.isEmpty() || output.isEmpty() || deadLetters.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new RouteConfig(
                name,
                input.get(),
                output.get(),
                allowed,
                handlers,
                pools,
                deadLetters.get(),
                results.orElse(null),
                relayId));
  }

  private static Optional<String> topic(
      Settings settings, String name, String leaf, String fallback, String about) {
    String key = key(name, leaf);
    if (!fallback.isEmpty()) {
      return Optional.of(settings.value(key, Kind.TOPIC, fallback, about));
    }
    Optional<String> topic = settings.optional(key, Kind.TOPIC, about);
    if (topic.isEmpty() && !settings.isGiven(key)) {
      settings.contradiction(
          key
              + " is missing: every route but \"default\" must name its input and its output topic");
    }
    return topic;
  }

  static String key(String name, String leaf) {
    return PREFIX + "." + name + "." + leaf;
  }

  /** A topic that Kairos writes to and reads from would go round for ever. */
  private static void check(Settings settings, RouteConfig route, List<RouteConfig> all) {
    for (RouteConfig reader : all) {
      String input = key(reader.name, "input");
      String why =
          " is also " + input + ": what Kairos writes there it would read again as a new record";
      if (reader.input.equals(route.output)) {
        settings.contradiction(key(route.name, "output") + why);
      }
      if (route.allowedOutputs.contains(reader.input)) {
        settings.contradiction(key(route.name, "allowed-outputs") + why);
      }
      if (reader.input.equals(route.deadLetterTopic)) {
        settings.contradiction(key(route.name, "dead-letter-topic") + why);
      }
      if (reader.input.equals(route.resultsTopic)) {
        settings.contradiction(key(route.name, "results-topic") + why);
      }
    }
  }
}
