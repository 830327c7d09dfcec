package io.kairos.bench.dashboard;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.kairos.bench.load.BenchWait;
import io.kairos.bench.report.FigureList;
import io.kairos.bench.report.FigureList.Unit;
import io.kairos.bench.report.ProgressLog;
import io.kairos.bench.report.RunVerdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Loads the dashboard in a browser that runs already, each time with an empty cache. Used by one
 * thread.
 */
final class FirstLoads {
  private static final Duration MOST_P95 = Duration.ofMillis(1_500);
  private static final long MOST_BYTES = 200 << 10;
  private static final String BLANK = "about:blank";
  private static final Duration SHOWN_WITHIN = Duration.ofSeconds(30);
  private static final Duration LOOK_EVERY = Duration.ofMillis(100);

  /**
   * Longer than what a screen loads when it is shown, such as its chart; shorter than its polls.
   */
  private static final Duration REST = Duration.ofSeconds(3);

  /**
   * Notes when the numbers are drawn: what waits, rates, the chart of what waits, what is wrong and
   * what has failed. Milliseconds since the navigation began.
   */
  private static final String WATCH =
      """
      (() => {
        const look = () => {
          const tiles = [...document.querySelectorAll('.tiles .tile strong')].slice(0, 5).map((each) => each.textContent);
          const all = tiles.length === 5 && tiles.every((each) => /\\d/.test(each)) && document.querySelector('k-bars')
            && document.getElementById('wrong') && document.getElementById('failed') && !document.querySelector('.loading');
          if (!all) return;
          watcher.disconnect();
          requestAnimationFrame(() => { window.kairosShown = performance.now(); });
        };
        const watcher = new MutationObserver(look);
        watcher.observe(document, { childList: true, subtree: true, characterData: true });
      })();
      """;

  /** How many files did not come from the node. */
  private static final String CACHED =
      "return performance.getEntriesByType('resource').filter((each) => each.transferSize <= each.encodedBodySize).length";

  private static final String SHOWN = "return window.kairosShown ?? null";

  private static final String LOADED =
      """
      const all = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
      const isAnswer = (each) => /\\/v1\\/|\\/ui\\/session/.test(each.name);
      const sum = (some) => some.reduce((bytes, each) => bytes + each.encodedBodySize, 0);
      return {
        requests: all.length,
        files: sum(all.filter((each) => !isAnswer(each))),
        answers: sum(all.filter(isAnswer)),
        unpacked: all.reduce((bytes, each) => bytes + each.decodedBodySize, 0),
      };
      """;

  private final BrowserDriver browser;
  private final String url;
  private final ProgressLog progress;
  private final List<Double> millis = new ArrayList<>();
  private int cached;
  private JsonNode first = MissingNode.getInstance();

  /**
   * @param origin of the node, such as {@code http://127.0.0.1:8080}
   */
  FirstLoads(BrowserDriver browser, String origin, ProgressLog progress) {
    this.browser = browser;
    this.url = origin + "/ui/";
    this.progress = progress;
  }

  /** Loads so many times. The first load says how much is transferred. */
  void run(int loads) {
    browser.devTools("Page.addScriptToEvaluateOnNewDocument", Map.of("source", WATCH));
    for (int i = 0; i < loads; i++) {
      browser.go(BLANK);
      BenchWait.until(
          () -> browser.script("return location.href").asText().equals(BLANK),
          SHOWN_WITHIN,
          LOOK_EVERY);
      browser.devTools("Network.clearBrowserCache", Map.of());
      browser.go(url);
      millis.add(shown());
      if (i == 0) {
        BenchWait.pass(REST);
        first = browser.script(LOADED);
      }
      cached += browser.script(CACHED).asInt();
      progress.say("numbers shown after %.0f ms".formatted(millis.getLast()));
    }
  }

  private double shown() {
    JsonNode[] at = new JsonNode[1];
    if (!BenchWait.until(
        () -> {
          at[0] = browser.script(SHOWN);
          return !at[0].isNull();
        },
        SHOWN_WITHIN,
        LOOK_EVERY)) {
      throw new IllegalStateException(
          "the numbers were never shown, but: "
              + browser.script("return document.body.innerText").asText());
    }
    return at[0].asDouble();
  }

  /** Adds the times and bytes. */
  void report(FigureList figures, RunVerdict verdict) {
    Histogram micros = new Histogram(TimeUnit.MINUTES.toMicros(1), 3);
    millis.forEach(each -> micros.recordValue((long) (each * 1_000)));
    double p95 = micros.getValueAtPercentile(95) / 1e3;
    long bytes = first.path("files").asLong();
    figures
        .row("first screen")
        .count("firstScreen.loads", "loads", millis.size())
        .add(
            "firstScreen.p50",
            "numbers after p50",
            Unit.MILLIS,
            micros.getValueAtPercentile(50) / 1e3)
        .add("firstScreen.p95", "p95", Unit.MILLIS, p95)
        .add("firstScreen.max", "max", Unit.MILLIS, micros.getMaxValue() / 1e3)
        .note("asked: at most 1.5 s, aim 0.7 s")
        .only("firstScreen.millis", millis)
        .row("first load")
        .count("firstLoad.requests", "requests", first.path("requests").asLong())
        .count("firstLoad.fileBytes", "bytes of files, compressed", bytes)
        .count("firstLoad.answerBytes", "bytes of answers", first.path("answers").asLong())
        .count("firstLoad.unpackedBytes", "unpacked together", first.path("unpacked").asLong())
        .note("asked: at most 200 KB, aim 100 KB");
    verdict
        .demand(cached == 0, cached + " files came from a cache")
        .expect(p95 <= MOST_P95.toMillis(), "the p95 of the first screen is above 1.5 s")
        .expect(bytes <= MOST_BYTES, "the first load has more than 200 KB");
  }
}
