package io.kairos.junit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import io.kairos.client.time.SystemTime;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * The JVM of a test node. It ends when its standard input ends, so at the latest with the JVM of
 * the test.
 */
record TestNodeProcess(Process process, int port) implements AutoCloseable {
  private static final String MAIN = "io.kairos.testnode.TestNodeMain";
  private static final String LOGGING = "io/kairos/testnode/testnode-logback.xml";
  private static final String READY = "port ";
  private static final int SECONDS_TO_END = 10;

  static Instant present() {
    return new SystemTime().now();
  }

  static TestNodeProcess start(Instant clock) {
    ProcessBuilder builder =
        new ProcessBuilder(
                JavaHome.find().resolve("bin/java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Dlogback.configurationFile=" + LOGGING,
                "-cp",
                classPath(),
                MAIN,
                clock.toString())
            .redirectError(Redirect.INHERIT);
    try {
      Process process = builder.start();
      String line =
          new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8)).readLine();
      if (line == null || !line.startsWith(READY)) {
        process.destroyForcibly();
        throw new IllegalStateException(
            "the test node did not start; it said " + line + ", and why on standard error");
      }
      return new TestNodeProcess(process, Integer.parseInt(line.substring(READY.length())));
    } catch (IOException e) {
      throw new UncheckedIOException("the test node could not be started", e);
    }
  }

  private static String classPath() {
    String folder = System.getProperty("kairos.test-node");
    return folder == null
        ? requireNonNull(System.getProperty("java.class.path"))
        : folder + File.separator + "*";
  }

  String address() {
    return "127.0.0.1:" + port;
  }

  @Override
  public void close() {
    try {
      process.getOutputStream().close();
      if (!process.waitFor(SECONDS_TO_END, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (IOException e) {
      process.destroyForcibly();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
