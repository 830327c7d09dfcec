package io.kairos.server.browser;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kairos.server.program.InstalledProgram;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.openqa.selenium.By;
import org.openqa.selenium.ElementNotInteractableException;
import org.openqa.selenium.NoSuchElementException;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.TimeoutException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.support.ui.Select;
import org.openqa.selenium.support.ui.WebDriverWait;

/**
 * Debian's Chromium without a window, with cookies of its own, on the dashboard of one process. It
 * keeps what its pages have done that they must not: see {@link #faults}. Each method waits for
 * what it names. Confined to one thread.
 */
public final class BrowserSession implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration LOOK_EVERY = Duration.ofMillis(25);
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * Says at each start that it knows no DevTools as new as this browser's, which none of us uses.
   */
  private static final Logger SELENIUM = Logger.getLogger("org.openqa.selenium");

  /** Runs in each page before its own scripts. */
  private static final String WATCH =
      """
      window.kairosFaults = [];
      addEventListener('securitypolicyviolation', (event) =>
        kairosFaults.push(`policy ${event.violatedDirective}: ${event.blockedURI}`));
      for (const name of ['alert', 'confirm', 'prompt', 'print', 'open'])
        window[name] = (text) => { kairosFaults.push(`${name}: ${text}`); };
      """;

  private static final String WIDE =
      """
      const width = document.documentElement.clientWidth;
      if (document.documentElement.scrollWidth <= width) return [];
      return [...document.querySelectorAll('body *')]
        .filter((each) => each.getBoundingClientRect().right > width + 0.5)
        .slice(0, 5)
        .map((each) => `too wide: ${each.tagName.toLowerCase()}.${each.getAttribute('class') ?? ''} ${each.textContent.trim().slice(0, 40)}`);
      """;

  /** What WCAG 2.2 asks for at its levels A and AA, as far as a program can tell. */
  private static final String AXE =
      """
      const done = arguments[0];
      axe.run(document, {
        runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] },
        rules: { 'target-size': { enabled: true } },
        resultTypes: ['violations'],
        preload: false,
      }).then(
        (found) => done(found.violations.map((each) => `${each.id}: ` + each.nodes.slice(0, 3)
          .map((node) => `${node.html.slice(0, 160)} ${node.failureSummary}`).join(' | '))),
        (error) => done([`axe: ${error}`]));
      """;

  private final String origin;
  private final ChromeDriver driver;
  private final List<String> faults = new ArrayList<>();
  private final Set<String> visited = new HashSet<>();
  private int clicks;

  private BrowserSession(String origin, ChromeDriver driver) {
    this.origin = origin;
    this.driver = driver;
  }

  /** Skips the test, or fails it, where there is no browser. */
  public static void requireInstalled() {
    InstalledProgram.named("chromium");
    InstalledProgram.named("chromedriver");
  }

  /**
   * Starts a browser.
   *
   * @param origin of the dashboard, such as {@code http://127.0.0.1:1234}
   */
  public static BrowserSession start(String origin) {
    SELENIUM.setLevel(Level.OFF);
    LoggingPreferences logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, Level.ALL);
    logs.enable(LogType.PERFORMANCE, Level.ALL);
    ChromeOptions options = new ChromeOptions();
    options.setBinary(InstalledProgram.named("chromium"));
    options.addArguments(
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--lang=en");
    options.setCapability("goog:loggingPrefs", logs);
    ChromeDriver driver =
        new ChromeDriver(
            new ChromeDriverService.Builder()
                .usingDriverExecutable(new File(InstalledProgram.named("chromedriver")))
                .usingAnyFreePort()
                .build(),
            options);
    BrowserSession session = new BrowserSession(origin, driver);
    session.devTools("Page.addScriptToEvaluateOnNewDocument", Map.of("source", WATCH));
    return session;
  }

  private void devTools(String command, Map<String, Object> parameters) {
    driver.executeCdpCommand(command, parameters);
  }

  /** Makes the window as wide as this, in CSS pixels: narrower than 500, as telephones are, too. */
  public void resize(int width) {
    devTools(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", 844, "deviceScaleFactor", 1, "mobile", false));
  }

  /** Makes the system's colours light or dark. */
  public void colours(String scheme) {
    devTools(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
  }

  /** Lets pages of another origin be visited, such as those of an identity provider. */
  public void mayVisit(String other) {
    visited.add(other);
  }

  /** Loads a page, without waiting for more than its scripts. */
  public void load(String path) {
    collect();
    clicks = 0;
    driver.get(origin + path);
  }

  /** Loads a page, and waits until its screen has what it asked the process for. */
  public void show(String path) {
    load(path);
    settle();
  }

  /** Waits until nothing is being loaded for the first time. */
  public void settle() {
    await(
        "a screen",
        () ->
            find(By.cssSelector("main h1")).stream().anyMatch(WebElement::isDisplayed)
                && find(By.cssSelector(".loading")).isEmpty());
  }

  /** Logs in by a token, at the form that any page shows. */
  public void logIn(String token) {
    fill("token", token);
    click(By.xpath("//form//button[normalize-space()='Log in']"));
  }

  /** Forgets who is logged in. */
  public void forget() {
    driver.manage().deleteAllCookies();
  }

  /** Waits until such an element is visible. */
  public WebElement see(By what) {
    @Nullable WebElement[] seen = new WebElement[1];
    await(
        String.valueOf(what),
        () -> {
          seen[0] = find(what).stream().filter(WebElement::isDisplayed).findFirst().orElse(null);
          return seen[0] != null;
        });
    return requireNonNull(seen[0]);
  }

  /** Waits until no such element is visible. */
  public void gone(By what) {
    await("no " + what, () -> find(what).stream().noneMatch(WebElement::isDisplayed));
  }

  /** True when such an element is visible now. */
  public boolean sees(By what) {
    return find(what).stream().anyMatch(WebElement::isDisplayed);
  }

  /** Waits until these texts are visible in an element, in this order, whatever is between them. */
  public void read(String css, String... texts) {
    Pattern wanted =
        Pattern.compile(
            String.join(".*", List.of(texts).stream().map(Pattern::quote).toList()),
            Pattern.DOTALL);
    await(
        String.join(" ... ", texts),
        () -> texts(By.cssSelector(css)).stream().anyMatch(text -> wanted.matcher(text).find()));
  }

  /** The visible texts of such elements now, with single spaces. */
  public List<String> texts(By what) {
    return find(what).stream().map(each -> each.getText().replaceAll("\\s+", " ")).toList();
  }

  /** Clicks such an element once it can be clicked. */
  public void click(By what) {
    await(
        "to click " + what,
        () -> {
          WebElement found =
              find(what).stream()
                  .filter(each -> each.isDisplayed() && each.isEnabled())
                  .findFirst()
                  .orElse(null);
          if (found != null) {
            // Narrow windows have a header that stays above the page.
            driver.executeScript("arguments[0].scrollIntoView({ block: 'center' })", found);
            found.click();
          }
          return found != null;
        });
    clicks++;
  }

  /** How often somebody has clicked since the page was loaded. */
  public int clicks() {
    return clicks;
  }

  /** Presses keys one after the other, where the focus is. */
  public void type(CharSequence... keys) {
    new Actions(driver).sendKeys(keys).perform();
  }

  /** True when such an element has the focus now. */
  public boolean hasFocus(By what) {
    return find(what).stream().anyMatch(driver.switchTo().activeElement()::equals);
  }

  /** Waits until such an element has the focus. */
  public void focused(By what) {
    await("the focus on " + what, () -> hasFocus(what));
  }

  /** Chooses a file. */
  public void upload(By field, Path file) {
    see(field).sendKeys(file.toAbsolutePath().toString());
  }

  /** Chooses an option of a list by its text. */
  public void choose(By list, String option) {
    new Select(see(list)).selectByVisibleText(option);
  }

  /** Clicks a button whose text begins so. */
  public void press(String text) {
    click(button(text));
  }

  /** A button whose text begins so. */
  public static By button(String text) {
    return By.xpath("//button[starts-with(normalize-space(), \"" + text + "\")]");
  }

  /** Presses the button of the open dialog that does what it asks about. */
  public void confirm(String text) {
    goOn(text);
    gone(By.cssSelector("dialog[open]"));
  }

  /** Presses the button of the open dialog, which another dialog may follow. */
  public void goOn(String text) {
    click(By.xpath("//dialog[@open]//button[@type='submit'][normalize-space()='" + text + "']"));
  }

  /** Gives a field of a time its value, which keys would write in the form of the system. */
  public void set(String name, String value) {
    driver.executeScript("arguments[0].value = arguments[1]", see(By.name(name)), value);
  }

  /** Writes into the visible field of this name, in place of what is there. */
  public void fill(String name, String text) {
    await(
        "to fill " + name,
        () -> {
          WebElement field =
              find(By.name(name)).stream().filter(WebElement::isDisplayed).findFirst().orElse(null);
          if (field != null) {
            field.clear();
            field.sendKeys(text);
          }
          return field != null;
        });
  }

  /** Opens the menu of narrow windows, where there is one. */
  public void openMenu() {
    By menu = By.cssSelector("button.menu[aria-expanded=false]");
    if (sees(menu)) {
      click(menu);
    }
  }

  /** The status of an answer to a call by a script of the page, with its cookies. */
  public int call(String method, String path, Map<String, String> headers, String body) {
    Object status =
        driver.executeAsyncScript(
            """
            const [method, path, headers, body, done] = arguments;
            fetch(path, { method, headers, body: body || undefined }).then((answer) => done(answer.status));
            """,
            method,
            path,
            headers,
            body);
    return ((Number) requireNonNull(status)).intValue();
  }

  /** The text of the answer to a GET by a script of the page. */
  public String fetched(String path) {
    return String.valueOf(
        driver.executeAsyncScript(
            """
            const [path, done] = arguments;
            fetch(path, { headers: { 'x-kairos-ui': '1' } }).then((answer) => answer.text()).then(done);
            """,
            path));
  }

  /** Waits until a script returns this. */
  public void awaitScript(Object value, String text) {
    await(text + " is " + value, () -> value.equals(driver.executeScript(text)));
  }

  /** The path and query of the page's URL. */
  public String place() {
    return requireNonNull(driver.getCurrentUrl()).substring(origin.length());
  }

  /** What a script returns. */
  public Object script(String text) {
    return requireNonNull(driver.executeScript(text), text);
  }

  /**
   * Writes what is in the window to a file, as PNG.
   *
   * @return its size in bytes
   */
  public int picture(Path file) {
    byte[] png = driver.getScreenshotAs(OutputType.BYTES);
    try {
      Files.createDirectories(requireNonNull(file.toAbsolutePath().getParent()));
      Files.write(file, png);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return png.length;
  }

  /**
   * What people with disabilities cannot use in the present page, and what is too wide for the
   * window; empty when all is well.
   */
  public List<String> barriers() {
    if (!(Boolean) script("return typeof axe === 'object'")) {
      driver.executeScript(axe());
    }
    // What is beneath the header of narrow windows can be scrolled into view.
    driver.executeScript("scrollTo(0, 0)");
    List<String> barriers = new ArrayList<>(strings(driver.executeAsyncScript(AXE)));
    barriers.addAll(strings(driver.executeScript(WIDE)));
    return barriers;
  }

  private static String axe() {
    try (InputStream in =
        requireNonNull(
            BrowserSession.class.getResourceAsStream(
                "/META-INF/resources/webjars/axe-core/4.6.3/axe.min.js"))) {
      return new String(in.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * What pages have done since the last call that they must not: errors on the console, breaches of
   * the content security policy, dialogs of the browser, and requests to other origins.
   *
   * @param expected patterns of faults that are none, such as {@code status of 401}
   */
  public List<String> faults(String... expected) {
    collect();
    List<String> found = new ArrayList<>(faults);
    faults.clear();
    for (String pattern : expected) {
      found.removeIf(Pattern.compile(pattern).asPredicate());
    }
    return found;
  }

  private void collect() {
    faults.addAll(strings(driver.executeScript("return (window.kairosFaults ?? []).splice(0)")));
    for (LogEntry entry : driver.manage().logs().get(LogType.BROWSER)) {
      if (entry.getLevel().intValue() >= Level.SEVERE.intValue()) {
        faults.add("console: " + entry.getMessage());
      }
    }
    for (LogEntry entry : driver.manage().logs().get(LogType.PERFORMANCE)) {
      String url = requested(entry.getMessage());
      if (!url.isEmpty() && !isAllowed(url)) {
        faults.add("request: " + url);
      }
    }
  }

  private boolean isAllowed(String url) {
    return url.startsWith(origin + "/")
        || url.equals("about:blank")
        // a part of the browser's own fields
        || url.startsWith("data:")
        || visited.stream().anyMatch(each -> url.startsWith(each + "/"));
  }

  /** The URL of the request that a line tells about; empty for others. */
  private static String requested(String line) {
    if (!line.contains("Network.requestWillBeSent\"")) {
      return "";
    }
    try {
      JsonNode event = JSON.readTree(line).path("message");
      return event.path("params").path("request").path("url").asText();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> strings(@Nullable Object of) {
    return ((List<?>) requireNonNull(of)).stream().map(String::valueOf).toList();
  }

  private List<WebElement> find(By what) {
    return driver.findElements(what);
  }

  private interface Look {
    boolean isSo();
  }

  /** Elements may be replaced, and be covered by others, while the page works. */
  private void await(String what, Look look) {
    try {
      new WebDriverWait(driver, PATIENCE, LOOK_EVERY)
          .ignoring(StaleElementReferenceException.class)
          .ignoring(NoSuchElementException.class)
          .ignoring(ElementNotInteractableException.class)
          .until(_ -> look.isSo());
    } catch (TimeoutException e) {
      throw new AssertionError(
          "never: "
              + what
              + ", but at "
              + driver.getCurrentUrl()
              + ":\n"
              + String.join("\n", texts(By.cssSelector("body")))
              + "\n"
              + faults(),
          e);
    }
  }

  @Override
  public void close() {
    driver.quit();
  }
}
