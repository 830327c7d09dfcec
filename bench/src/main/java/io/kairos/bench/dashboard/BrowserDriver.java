package io.kairos.bench.dashboard;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kairos.bench.load.BenchWait;
import io.kairos.bench.rig.BenchProcess;
import io.kairos.embedded.ChildProcess;
import io.kairos.embedded.LoopbackPort;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Debian's Chromium without a window, driven by its chromedriver, which is asked by the protocol of
 * W3C WebDriver. Used by one thread.
 */
final class BrowserDriver extends BenchProcess {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration STARTED_WITHIN = Duration.ofSeconds(30);
  private static final Duration LOOK_EVERY = Duration.ofMillis(50);
  private static final String PROGRAM = "chromedriver";
  private static final int OK = 200;

  /** As the tests in a browser start it; a load event is not waited for. */
  private static final Map<String, Object> CAPABILITIES =
      Map.of(
          "capabilities",
          Map.of(
              "alwaysMatch",
              Map.of(
                  "browserName",
                  "chrome",
                  "pageLoadStrategy",
                  "none",
                  "goog:chromeOptions",
                  Map.of(
                      "binary",
                      "/usr/bin/chromium",
                      "args",
                      List.of(
                          "--headless=new",
                          "--no-sandbox",
                          "--disable-gpu",
                          "--disable-dev-shm-usage",
                          "--no-first-run",
                          "--disable-background-networking",
                          "--disable-component-update",
                          "--disable-sync",
                          "--window-size=1280,900",
                          "--lang=en")))));

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final URI service;
  private String session = "";

  private BrowserDriver(int port, Path folder) {
    super(
        PROGRAM,
        ChildProcess::start,
        List.of(PROGRAM, "--port=" + port),
        Map.of(),
        folder.resolve("chromedriver.log"));
    service = URI.create("http://127.0.0.1:" + port + "/");
  }

  /** True where a driver can be found. */
  static boolean isInstalled() {
    return Arrays.stream(
            requireNonNullElse(System.getenv("PATH"), "").split(File.pathSeparator, -1))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, PROGRAM)));
  }

  /** Starts a browser, whose log is in the folder. */
  static BrowserDriver start(Path folder) {
    BrowserDriver driver = new BrowserDriver(LoopbackPort.choose(), folder);
    boolean started = false;
    try {
      if (!BenchWait.until(driver::isReady, STARTED_WITHIN, LOOK_EVERY)) {
        throw new IllegalStateException(PROGRAM + " has not started");
      }
      driver.session = driver.ask("POST", "session", CAPABILITIES).path("sessionId").asText();
      started = true;
      return driver;
    } finally {
      if (!started) {
        driver.close();
      }
    }
  }

  private boolean isReady() {
    try {
      return send("GET", "status", null).statusCode() == OK;
    } catch (IOException notYet) {
      return false;
    }
  }

  /** Begins to load a page, and does not wait for it. */
  void go(String url) {
    command("url", Map.of("url", url));
  }

  /** What a script returns. */
  JsonNode script(String text) {
    return command("execute/sync", Map.of("script", text, "args", List.of()));
  }

  /** A command of the DevTools protocol. */
  JsonNode devTools(String name, Map<String, Object> parameters) {
    return command("goog/cdp/execute", Map.of("cmd", name, "params", parameters));
  }

  private JsonNode command(String path, Map<String, Object> body) {
    return ask("POST", "session/" + session + "/" + path, body);
  }

  /** The value that it answers with. */
  private JsonNode ask(String method, String path, @Nullable Object body) {
    try {
      HttpResponse<String> answer = send(method, path, body);
      JsonNode value = JSON.readTree(answer.body()).path("value");
      if (answer.statusCode() != OK) {
        throw new IllegalStateException(path + ": " + value.path("message").asText());
      }
      return value;
    } catch (IOException e) {
      throw new UncheckedIOException("the browser does not answer", e);
    }
  }

  private HttpResponse<String> send(String method, String path, @Nullable Object body)
      throws IOException {
    try {
      return http.send(
          HttpRequest.newBuilder(service.resolve(path))
              .method(
                  method,
                  body == null
                      ? HttpRequest.BodyPublishers.noBody()
                      : HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body)))
              .build(),
          HttpResponse.BodyHandlers.ofString());
    } catch (InterruptedException e) {
      throw BenchWait.interrupted("the browser", e);
    }
  }

  /** Ends the browser too. */
  @Override
  public void close() {
    try {
      if (!session.isEmpty()) {
        send("DELETE", "session/" + session, null);
      }
    } catch (IOException gone) {
      // Its processes end with the driver.
    } finally {
      http.shutdownNow();
      super.close();
    }
  }
}
