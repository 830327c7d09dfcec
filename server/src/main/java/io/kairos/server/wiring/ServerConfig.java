package io.kairos.server.wiring;

import io.kairos.engine.delay.DelayConfig;
import io.kairos.engine.schedule.ScheduleConfig;
import io.kairos.engine.task.TaskConfig;
import io.kairos.server.config.DelayKeys;
import io.kairos.server.config.HttpConfig;
import io.kairos.server.config.LoggingConfig;
import io.kairos.server.config.NodeConfig;
import io.kairos.server.config.PushKeys;
import io.kairos.server.config.RouteConfig;
import io.kairos.server.config.ScheduleKeys;
import io.kairos.server.config.Setting;
import io.kairos.server.config.Settings;
import io.kairos.server.config.Sources;
import io.kairos.server.config.TaskKeys;
import io.kairos.server.push.PushConfig;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The whole configuration of a node, checked.
 *
 * @param effective every key with its value and origin
 */
public record ServerConfig(
    NodeConfig node,
    HttpConfig http,
    LoggingConfig logging,
    KafkaKeys kafka,
    PostgresKeys postgres,
    DelayConfig delay,
    TaskConfig tasks,
    ScheduleConfig schedules,
    PushConfig push,
    List<RouteConfig> routes,
    List<Setting> effective) {
  private static final Duration LEAST_ROUND = Duration.ofMinutes(1);

  public ServerConfig {
    routes = List.copyOf(routes);
    effective = List.copyOf(effective);
  }

  /** From the sources, for the heap of this virtual machine. */
  public static ServerConfig read(Sources sources) {
    return read(sources, Runtime.getRuntime().maxMemory());
  }

  /**
   * Reads and checks everything.
   *
   * @throws io.kairos.server.config.ConfigurationException with all problems together
   */
  static ServerConfig read(Sources sources, long maxHeapBytes) {
    Settings settings = new Settings(sources);
    NodeConfig node = NodeConfig.read(settings);
    Optional<HttpConfig> http = HttpConfig.read(settings);
    LoggingConfig logging = LoggingConfig.read(settings);
    Optional<PostgresKeys> postgres = PostgresKeys.read(settings);
    Duration unknownOutcomeFor =
        postgres
            .map(PostgresKeys::unknownOutcomeFor)
            .orElse(DelayConfig.defaults().detection().unknownOutcomeFor());
    List<RouteConfig> routes = RouteConfig.readAll(settings);
    Optional<DelayConfig> delay = DelayKeys.read(settings, unknownOutcomeFor, maxHeapBytes);
    Optional<TaskConfig> tasks = TaskKeys.read(settings, maxHeapBytes);
    Optional<ScheduleConfig> schedules = ScheduleKeys.read(settings);
    Optional<PushConfig> push =
        PushKeys.read(settings, http.map(HttpConfig::address).orElse(null), maxHeapBytes);
    DelayConfig bounds = delay.orElse(DelayConfig.defaults());
    Optional<KafkaKeys> kafka =
        KafkaKeys.read(settings, bounds.firing().publishTimeout(), longestRound(bounds));
    if (delay.isPresent() && postgres.isPresent()) {
      checkStatements(settings, delay.get(), postgres.get());
    }
    if (delay.isPresent() && kafka.isPresent()) {
      checkLanes(settings, delay.get(), kafka.get());
    }
    settings.finish();
    return new ServerConfig(
        node,
        http.orElseThrow(),
        logging,
        kafka.orElseThrow(),
        postgres.orElseThrow(),
        delay.orElseThrow(),
        tasks.orElseThrow(),
        schedules.orElseThrow(),
        push.orElseThrow(),
        routes,
        settings.effective());
  }

  /** No round of a step waits longer for the store and the broker; at least a minute. */
  Duration longestRound() {
    return longestRound(delay);
  }

  private static Duration longestRound(DelayConfig delay) {
    Duration longest =
        delay.detection().unknownOutcomeFor().plus(delay.firing().publishTimeout()).multipliedBy(2);
    return longest.compareTo(LEAST_ROUND) < 0 ? LEAST_ROUND : longest;
  }

  private static void checkStatements(Settings settings, DelayConfig delay, PostgresKeys postgres) {
    if (delay.detection().holdTime().compareTo(postgres.config().statementTimeout()) <= 0) {
      settings.contradiction(
          "delay.detection.hold-time must be longer than postgres.statement-timeout, or what a slow"
              + " statement claims counts as stuck before the node has it");
    }
  }

  private static void checkLanes(Settings settings, DelayConfig delay, KafkaKeys kafka) {
    if (delay.firing().laneBytes() >= kafka.config().output().bufferBytes()) {
      settings.contradiction(
          "delay.firing.lane-bytes must be less than kafka.output.buffer-bytes, or one dead output"
              + " partition takes the memory of all others");
    }
  }
}
