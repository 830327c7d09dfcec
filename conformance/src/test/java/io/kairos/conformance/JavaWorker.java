package io.kairos.conformance;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import io.kairos.client.handler.FatalFailure;
import io.kairos.client.handler.ResultHandler;
import io.kairos.client.handler.Snooze;
import io.kairos.client.handler.TaskContext;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.worker.Worker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;

/** The worker of the Java client, as the conformance kit starts it. */
final class JavaWorker {
  private static final Map<String, ResultHandler<byte[], byte[]>> BEHAVIOURS =
      Map.of(
          "echo", (payload, context) -> payload,
          "digest", (payload, context) -> digest(payload),
          "fail", (payload, context) -> fail(number(payload), context),
          "fatal",
              (payload, context) -> {
                throw new FatalFailure("conformance: never");
              },
          "snooze", (payload, context) -> snooze(number(payload)),
          "slow", (payload, context) -> slow(number(payload), context),
          "large", (payload, context) -> new byte[number(payload)],
          "progress", (payload, context) -> progress(number(payload), context));

  private JavaWorker() {}

  public static void main(String[] words) throws InterruptedException {
    Worker worker =
        Worker.builder(given("KAIROS_ADDRESS"))
            .name(given("KAIROS_WORKER"))
            .concurrency(Integer.parseInt(given("CONFORMANCE_CONCURRENCY")))
            .drainTime(Duration.ofSeconds(Long.parseLong(given("CONFORMANCE_DRAIN"))))
            .build();
    for (String name : given("CONFORMANCE_HANDLERS").split(",", -1)) {
      String behaviour = name.substring(name.lastIndexOf('.') + 1);
      worker.handle(
          name,
          PayloadCodec.bytes(),
          PayloadCodec.bytes(),
          requireNonNull(BEHAVIOURS.get(behaviour), behaviour));
    }
    Runtime.getRuntime().addShutdownHook(new Thread(worker::close));
    worker.start();
    worker.join();
  }

  private static String given(String variable) {
    return requireNonNull(System.getenv(variable), variable);
  }

  private static int number(byte[] payload) {
    return Integer.parseInt(new String(payload, US_ASCII));
  }

  private static byte[] digest(byte[] payload) throws Exception {
    return HexFormat.of()
        .formatHex(MessageDigest.getInstance("SHA-256").digest(payload))
        .getBytes(US_ASCII);
  }

  private static byte[] fail(int until, TaskContext context) {
    if (context.attempt() < until) {
      throw new IllegalStateException("conformance: attempt " + context.attempt());
    }
    return Integer.toString(context.attempt()).getBytes(US_ASCII);
  }

  private static byte[] snooze(int untilSecond) {
    if (Instant.now().isBefore(Instant.ofEpochSecond(untilSecond))) {
      throw new Snooze(Duration.ofSeconds(1));
    }
    return new byte[0];
  }

  private static byte[] slow(int seconds, TaskContext context)
      throws IOException, InterruptedException {
    long until = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
    while (System.nanoTime() - until < 0) {
      Files.writeString(
          Path.of(given("CONFORMANCE_EFFECTS")),
          context.taskId() + " " + context.fence() + " " + System.currentTimeMillis() + "\n",
          UTF_8,
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
      Thread.sleep(50);
    }
    return new byte[0];
  }

  private static byte[] progress(int seconds, TaskContext context) throws InterruptedException {
    context.progress(50, "half");
    Thread.sleep(Duration.ofSeconds(seconds));
    return new byte[0];
  }
}
