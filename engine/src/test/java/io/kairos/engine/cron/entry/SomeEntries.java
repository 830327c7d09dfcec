package io.kairos.engine.cron.entry;

import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.delay.MessageHeader;
import io.kairos.domain.pool.PushRequest;
import io.kairos.domain.task.queue.PoolName;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.random.RandomGenerator;

/** Draws entries of every kind. */
final class SomeEntries {
  private static final List<String> EXPRESSIONS =
      List.of("* * * * *", "*/5 * * * * *", "H * * * *", "@every 7s", "@hourly", "0 0 29 2 *");
  private static final List<String> ARGUMENTS =
      List.of("count", "throw", "task", "task and throw", "two tasks", "push");

  private static final List<String> RULES =
      List.of("every two seconds", "throw in rule", "throw in next", "write in rule");

  private SomeEntries() {}

  static EntryDefinition entry(RandomGenerator random, ComponentId component, int position) {
    return new EntryDefinition(component, position, title(random), when(random), work(random));
  }

  private static String title(RandomGenerator random) {
    return random.nextBoolean() ? "" : "é𝄞".repeat(random.nextInt(4)) + random.nextInt(1_000);
  }

  static EntryTiming when(RandomGenerator random) {
    return switch (random.nextInt(6)) {
      case 0 -> new EntryTiming.EveryTick();
      case 5 -> TestModule.rule(RULES.get(random.nextInt(RULES.size())));
      case 1 -> new EntryTiming.EverySequences(random.nextInt(1, 20));
      case 2 -> new EntryTiming.Every(Duration.ofMillis(random.nextInt(1, 20_000)));
      case 3 ->
          new EntryTiming.FixedRate(
              Duration.ofMillis(random.nextInt(1, 20_000)),
              Instant.ofEpochMilli(random.nextInt(100_000)));
      default -> new EntryTiming.Cron(EXPRESSIONS.get(random.nextInt(EXPRESSIONS.size())));
    };
  }

  static EntryWork work(RandomGenerator random) {
    return switch (random.nextInt(7)) {
      case 0 -> new EntryWork.EnqueueTask("mail", bytes(random), random.nextBoolean() ? "" : "kéy");
      case 1 ->
          new EntryWork.PostMessage(
              "news",
              bytes(random),
              bytes(random),
              Duration.ofMillis(random.nextInt(60_000, 99_000)));
      case 2 -> new EntryWork.Push("http://example.org:81/a%20b?c=d", "text/plain", bytes(random));
      case 4 -> pushToPool(random);
      case 3 -> new EntryWork.Prune(Duration.ofMillis(random.nextInt(1, 60_000)));
      default -> TestModule.run(ARGUMENTS.get(random.nextInt(ARGUMENTS.size())));
    };
  }

  private static EntryWork pushToPool(RandomGenerator random) {
    List<MessageHeader> headers =
        random.nextBoolean()
            ? List.of()
            : List.of(
                new MessageHeader("content-type", new byte[] {'a', '/', 'b'}),
                new MessageHeader("x-empty", new byte[0]));
    return new EntryWork.PushToPool(
        new PoolName("billing"),
        new PushRequest("PUT", "/a%20b?c=d", headers, bytes(random)),
        random.nextBoolean() ? "" : "kéy");
  }

  private static byte[] bytes(RandomGenerator random) {
    return "x".repeat(random.nextInt(40)).getBytes(StandardCharsets.UTF_8);
  }
}
