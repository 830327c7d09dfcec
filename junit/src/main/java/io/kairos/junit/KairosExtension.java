package io.kairos.junit;

import com.google.protobuf.Timestamp;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.StatusRuntimeException;
import io.kairos.api.v1.AdvanceRequest;
import io.kairos.api.v1.AwaitQuiescenceRequest;
import io.kairos.api.v1.GetTimeRequest;
import io.kairos.api.v1.TestClockGrpc;
import io.kairos.api.v1.TestClockGrpc.TestClockBlockingStub;
import io.kairos.client.KairosClient;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A node for a test, in a JVM of its own: the real engine and the real API on a store in memory,
 * with a clock that stands still until the test turns it.
 *
 * <pre>{@code
 * @RegisterExtension static final KairosExtension kairos = new KairosExtension();
 *
 * @Test
 * void reminds_after_a_day() {
 *   kairos.client().schedule(TaskRequest.to("remind").delay(Duration.ofDays(1)).build());
 *   try (Worker worker = Worker.connect(kairos.address())) {
 *     ...
 *     kairos.advance(Duration.ofDays(1));
 *   }
 * }
 * }</pre>
 *
 * <p>In a static field one node serves all tests of the class, else each test has its own. The JVM
 * is a Java 25, which is found as {@code ./kairos} finds it ({@code KAIROS_JAVA_HOME} or the system
 * property {@code kairos.java.home} decides alone). The node's classes come from the class path of
 * the test, or from the folder of jars that the system property {@code kairos.test-node} names.
 * Used by the thread of the test.
 */
public final class KairosExtension
    implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, AfterAllCallback {
  private final @Nullable Instant start;
  private @Nullable Running running;
  private boolean ofTheClass;

  /** What there is while the node runs. */
  private record Running(
      NodeProcess node, ManagedChannel channel, TestClockBlockingStub clock, KairosClient client) {}

  /** The clock begins at the present time. */
  public KairosExtension() {
    this(null);
  }

  private KairosExtension(@Nullable Instant start) {
    this.start = start;
  }

  /** The clock begins at the given time. */
  public static KairosExtension startingAt(Instant start) {
    return new KairosExtension(start);
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    start();
    ofTheClass = true;
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    if (running == null) {
      start();
    }
  }

  @Override
  public void afterEach(ExtensionContext context) {
    if (!ofTheClass) {
      stop();
    }
  }

  @Override
  public void afterAll(ExtensionContext context) {
    stop();
  }

  private void start() {
    NodeProcess node = NodeProcess.start(start == null ? NodeProcess.present() : start);
    ManagedChannel channel = ManagedChannelBuilder.forTarget(node.address()).usePlaintext().build();
    running =
        new Running(
            node,
            channel,
            TestClockGrpc.newBlockingStub(channel),
            KairosClient.connect(node.address()));
  }

  private void stop() {
    Running it = running;
    running = null;
    if (it != null) {
      it.client.close();
      it.channel.shutdownNow();
      it.node.close();
    }
  }

  private Running running() {
    Running it = running;
    if (it == null) {
      throw new IllegalStateException(
          "the node does not run: register the extension by @RegisterExtension");
    }
    return it;
  }

  /** {@code host:port} of the node, for workers and clients of one's own. */
  public String address() {
    return running().node.address();
  }

  /** A client of the node, closed with it. */
  public KairosClient client() {
    return running().client;
  }

  /** What time it is on the node. */
  public Instant now() {
    Timestamp time = running().clock.getTime(GetTimeRequest.getDefaultInstance()).getTime();
    return Instant.ofEpochSecond(time.getSeconds(), time.getNanos());
  }

  /** The same as {@link #advanceTo}, from the present time on. */
  public void advance(Duration by) {
    advanceTo(now().plus(by));
  }

  /**
   * Turns the clock forward, and stops on the way at every moment at which a task becomes due,
   * until workers have performed it. Returns when all has been performed that was due; what has no
   * worker stays.
   *
   * @throws AssertionError when a task is still being performed after 30 s
   */
  public void advanceTo(Instant time) {
    turn(time, false);
  }

  /**
   * Turns the clock forward at once, also while tasks are being performed. By more than an hour,
   * and their leases lapse: other workers get them.
   */
  public void jump(Duration by) {
    turn(now().plus(by), true);
  }

  private void turn(Instant time, boolean jump) {
    AdvanceRequest request =
        AdvanceRequest.newBuilder()
            .setTo(
                Timestamp.newBuilder().setSeconds(time.getEpochSecond()).setNanos(time.getNano()))
            .setJump(jump)
            .build();
    checked(() -> running().clock.advance(request));
  }

  /**
   * Waits until nothing is being performed and what is due has been.
   *
   * @throws AssertionError when a task is still being performed after 30 s
   */
  public void awaitQuiescence() {
    checked(() -> running().clock.awaitQuiescence(AwaitQuiescenceRequest.getDefaultInstance()));
  }

  private static void checked(Runnable call) {
    try {
      call.run();
    } catch (StatusRuntimeException e) {
      throw new AssertionError(e.getStatus().getDescription(), e);
    }
  }
}
