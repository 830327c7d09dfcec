package io.kairos.junit;

import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.StatusRuntimeException;
import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.AdvanceRequest;
import io.kairos.api.v1.AwaitQuiescenceRequest;
import io.kairos.api.v1.GetTimeRequest;
import io.kairos.api.v1.TestClockGrpc;
import io.kairos.api.v1.TestClockGrpc.TestClockBlockingStub;
import io.kairos.client.KairosClient;
import java.time.Duration;
import java.time.Instant;

/**
 * A node for tests in a separate JVM, which runs until it is closed: what {@link KairosExtension}
 * gives to tests of JUnit, for others that start it themselves. Its calls may be made on any
 * thread.
 */
public final class KairosNode implements AutoCloseable {
  private final TestNodeProcess process;
  private final ManagedChannel channel;
  private final TestClockBlockingStub clock;
  private final KairosClient client;

  private KairosNode(TestNodeProcess process) {
    this.process = process;
    channel = ManagedChannelBuilder.forTarget(process.address()).usePlaintext().build();
    clock = TestClockGrpc.newBlockingStub(channel);
    client = KairosClient.connect(process.address());
  }

  /** Starts a node whose clock begins at the present time, and waits until it is ready. */
  public static KairosNode start() {
    return startingAt(TestNodeProcess.present());
  }

  /** Starts a node whose clock begins at the given time, and waits until it is ready. */
  public static KairosNode startingAt(Instant start) {
    return new KairosNode(TestNodeProcess.start(start));
  }

  /** Returns {@code host:port} of the node, for workers and other clients. */
  public String address() {
    return process.address();
  }

  /** Returns a client of the node, which is closed with the node. */
  public KairosClient client() {
    return client;
  }

  /** Returns the time of the node. */
  public Instant now() {
    return ProtoTime.of(clock.getTime(GetTimeRequest.getDefaultInstance()).getTime());
  }

  /** Advances the clock by a duration, like {@link #advanceTo}. */
  public void advance(Duration by) {
    advanceTo(now().plus(by));
  }

  /**
   * Advances the clock. The clock stops at each moment at which a task becomes due, until workers
   * have performed the task. Returns when every due task has been performed; tasks without a worker
   * stay.
   *
   * @throws AssertionError when a task is still being performed after 30 s
   */
  public void advanceTo(Instant time) {
    turn(time, false);
  }

  /**
   * Advances the clock at once, even while tasks are being performed. A jump of more than an hour
   * makes their leases lapse, and other workers get the tasks.
   */
  public void jump(Duration by) {
    turn(now().plus(by), true);
  }

  private void turn(Instant time, boolean jump) {
    AdvanceRequest request =
        AdvanceRequest.newBuilder().setTo(ProtoTime.of(time)).setJump(jump).build();
    checked(() -> clock.advance(request));
  }

  /**
   * Waits until every due task has been performed.
   *
   * @throws AssertionError when a task is still being performed after 30 s
   */
  public void awaitQuiescence() {
    checked(() -> clock.awaitQuiescence(AwaitQuiescenceRequest.getDefaultInstance()));
  }

  private static void checked(Runnable call) {
    try {
      call.run();
    } catch (StatusRuntimeException e) {
      throw new AssertionError(e.getStatus().getDescription(), e);
    }
  }

  @Override
  public void close() {
    client.close();
    channel.shutdownNow();
    process.close();
  }
}
