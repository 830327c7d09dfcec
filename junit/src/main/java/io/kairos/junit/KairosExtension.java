package io.kairos.junit;

import io.kairos.client.KairosClient;
import io.kairos.client.worker.Worker;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A node for tests, in a separate JVM: the real engine and the real API on a store in memory, with
 * a clock that stands still until the test advances it.
 *
 * <pre>{@code
 * @RegisterExtension static final KairosExtension kairos = new KairosExtension();
 *
 * @Test
 * void reminds_after_a_day() {
 *   kairos.startWorker(worker -> worker.handle(REMIND, reminders::send));
 *   kairos.client().schedule(REMIND.task(customer).delay(Duration.ofDays(1)).build());
 *   kairos.advance(Duration.ofDays(1));
 *   ...
 * }
 * }</pre>
 *
 * <p>In a static field one node serves all tests of the class; otherwise each test has its own
 * node. The node needs a Java 25, which is searched for like {@code ./kairos} does; {@code
 * KAIROS_JAVA_HOME} or the system property {@code kairos.java.home} overrides the search. The
 * node's classes come from the class path of the test, or from the folder of jars that the system
 * property {@code kairos.test-node} names. Not thread-safe; use it on the thread of the test.
 */
public final class KairosExtension
    implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, AfterAllCallback {
  private final @Nullable Instant start;
  private @Nullable KairosNode running;

  /** Test classes around the present test that share the node: more than one within a nested. */
  private int classes;

  private final List<Worker> workersOfTest = new ArrayList<>();
  private final List<Worker> workersOfClass = new ArrayList<>();

  /** True from before the methods that prepare a test until after those that clean up. */
  private boolean inTest;

  /** Creates a node whose clock begins at the present time. */
  public KairosExtension() {
    this(null);
  }

  private KairosExtension(@Nullable Instant start) {
    this.start = start;
  }

  /** Creates a node whose clock begins at the given time. */
  public static KairosExtension startingAt(Instant start) {
    return new KairosExtension(start);
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    if (classes++ == 0) {
      start();
    }
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    inTest = true;
    if (running == null) {
      start();
    }
  }

  @Override
  public void afterEach(ExtensionContext context) {
    inTest = false;
    stop(workersOfTest);
    if (classes == 0) {
      stop();
    }
  }

  @Override
  public void afterAll(ExtensionContext context) {
    if (--classes == 0) {
      stop(workersOfClass);
      stop();
    }
  }

  private void start() {
    running = start == null ? KairosNode.start() : KairosNode.startingAt(start);
  }

  private static void stop(List<Worker> workers) {
    workers.forEach(Worker::close);
    workers.clear();
  }

  private void stop() {
    KairosNode it = running;
    running = null;
    if (it != null) {
      it.close();
    }
  }

  private KairosNode running() {
    KairosNode it = running;
    if (it == null) {
      throw new IllegalStateException(
          "the node does not run: register the extension by @RegisterExtension");
    }
    return it;
  }

  /** Returns {@code host:port} of the node, for workers and other clients. */
  public String address() {
    return running().address();
  }

  /** Returns a client of the node, which is closed with the node. */
  public KairosClient client() {
    return running().client();
  }

  /**
   * Starts a worker of the node. It is closed after the test, and one that {@code @BeforeAll} has
   * started after the last test.
   *
   * @param handlers registers the handlers
   */
  public Worker startWorker(Consumer<? super Worker> handlers) {
    Worker worker = Worker.connect(address());
    handlers.accept(worker);
    worker.start();
    (inTest ? workersOfTest : workersOfClass).add(worker);
    return worker;
  }

  /** Returns the time of the node. */
  public Instant now() {
    return running().now();
  }

  /** Advances the clock by a duration, like {@link #advanceTo}. */
  public void advance(Duration by) {
    running().advance(by);
  }

  /**
   * Advances the clock. The clock stops at each moment at which a task becomes due, until workers
   * have performed the task. Returns when every due task has been performed; tasks without a worker
   * stay.
   *
   * @throws AssertionError when a task is still being performed after 30 s
   */
  public void advanceTo(Instant time) {
    running().advanceTo(time);
  }

  /**
   * Advances the clock at once, even while tasks are being performed. A jump of more than an hour
   * makes their leases lapse, and other workers get the tasks.
   */
  public void jump(Duration by) {
    running().jump(by);
  }

  /**
   * Waits until every due task has been performed.
   *
   * @throws AssertionError when a task is still being performed after 30 s
   */
  public void awaitQuiescence() {
    running().awaitQuiescence();
  }
}
