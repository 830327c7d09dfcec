package io.kairos.server.config;

import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.PoolName;
import io.kairos.engine.setting.Setting;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a route from an input topic to output topics.
 *
 * @param name must never change, because the store keeps the route's messages and positions by it
 * @param resultsTopic null for none
 */
public record RouteConfig(
    String name,
    @Setting(
            key = "delay.routes.<name>.input",
            required = true,
            otherwise = NEEDS,
            format = ConfigFormats.TopicFormat.class,
            description =
                "Topic that applications write delayed messages to. The route called default has kairos.in; every other route must set it.")
        String input,
    @Setting(
            key = "delay.routes.<name>.output",
            required = true,
            otherwise = NEEDS,
            format = ConfigFormats.TopicFormat.class,
            description =
                "Topic that messages are fired to. The route called default has kairos.out; every other route must set it.")
        String output,
    @Setting(
            key = "delay.routes.<name>.allowed-outputs",
            format = ConfigFormats.TopicFormat.class,
            description =
                "Further topics that a message may name in its header kairos-output-topic.")
        Set<String> allowedOutputs,
    @Setting(
            key = "delay.routes.<name>.allowed-handlers",
            description =
                "Handlers that a message may name in its header kairos-handler; the message becomes a task of the handler when it is due.")
        Set<HandlerName> allowedHandlers,
    @Setting(
            key = "delay.routes.<name>.allowed-pools",
            description =
                "Pools that a message may name in its header kairos-pool; the message is pushed to an endpoint of the pool when it is due.")
        Set<PoolName> allowedPools,
    @Setting(
            key = "delay.routes.<name>.dead-letter-topic",
            defaultValue = "kairos.dead-letters",
            format = ConfigFormats.TopicFormat.class,
            description =
                "Topic for records that cannot be processed, with the reason in their headers.")
        String deadLetterTopic,
    @Setting(
            key = "delay.routes.<name>.results-topic",
            format = ConfigFormats.TopicFormat.class,
            description =
                "Topic for the outcomes of cancel and reschedule records; without it they are only counted.")
        @Nullable String resultsTopic,
    @Setting(
            key = "delay.routes.<name>.relay-id",
            defaultValue = "false",
            description =
                "Whether fired messages carry their id in the header kairos-id, for consumers that must notice duplicates.")
        boolean relayId,
    @Setting(
            key = "delay.routes.<name>.task-key-from-record",
            defaultValue = "false",
            description =
                "Whether a message that becomes a task has its record's key as ordering key, when it has no header kairos-key.")
        boolean taskKeyFromRecord,
    @Setting(
            key = "delay.routes.<name>.reject-beyond",
            min = "1s",
            max = "3650d",
            description =
                "A message whose due time is longer ago than this when it would be fired goes to the dead-letter topic instead. Without it messages are fired however late.")
        Optional<Duration> rejectBeyond) {
  private static final String DEFAULT_NAME = "default";
  static final String NEEDS =
      "every route but \"default\" must name its input and its output topic";

  public RouteConfig {
    allowedOutputs = Set.copyOf(allowedOutputs);
    allowedHandlers = Set.copyOf(allowedHandlers);
    allowedPools = Set.copyOf(allowedPools);
  }

  /** Reads all routes, ordered by name; one called default if none is configured. */
  public static List<RouteConfig> readAll(SettingsReader settings) {
    settings
        .withDefault(key(DEFAULT_NAME, "input"), "kairos.in")
        .withDefault(key(DEFAULT_NAME, "output"), "kairos.out");
    List<RouteConfig> routes = settings.bindAll(RouteConfig.class, Set.of(DEFAULT_NAME));
    routes.forEach(route -> check(settings, route, routes));
    return routes;
  }

  private static String key(String name, String leaf) {
    return "delay.routes." + name + "." + leaf;
  }

  /** Refuses a topic that Kairos both writes and reads: its records would circulate forever. */
  private static void check(SettingsReader settings, RouteConfig route, List<RouteConfig> all) {
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
