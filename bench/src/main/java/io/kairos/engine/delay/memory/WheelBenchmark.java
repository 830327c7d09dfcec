package io.kairos.engine.delay.memory;

import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.Fence;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import io.kairos.engine.delay.port.ClaimedMessage;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One timer's life in a steady state: put in for a time within the horizon, taken out when it is
 * due. In this package because {@code Wheel} is package-private.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(
    value = 1,
    jvmArgs = {"-Xms2g", "-Xmx2g", "-XX:+UseG1GC"})
public class WheelBenchmark {
  private static final int TIMERS_PER_INVOCATION = 1_000;
  private static final long MICROS_PER_MILLI = 1_000;
  private static final long HORIZON_MILLIS = 10_000;
  private static final long START_MILLIS = 1_795_231_190_226L;

  @Param({"100000", "1000000"})
  int timers;

  private final SplittableRandom random = new SplittableRandom(1);
  private final Fence fence = new Fence(new NodeId(new UUID(1, 2)), 3);
  private final DelayedMessage message =
      new DelayedMessage(
          new RouteId(1), new MessageId("message"), 0, null, new byte[0], null, new byte[256]);

  private Wheel wheel = new Wheel(0);
  private long nowMillis = START_MILLIS;
  private int left;

  @Setup(Level.Iteration)
  public void fill() {
    nowMillis = START_MILLIS;
    wheel = new Wheel(START_MILLIS * MICROS_PER_MILLI);
    for (int i = 0; i < timers; i++) {
      wheel.add(heldDueIn(1 + random.nextLong(HORIZON_MILLIS)));
    }
  }

  private HeldMessage heldDueIn(long millis) {
    return new HeldMessage(
        new ClaimedMessage(message.dueAt((nowMillis + millis) * MICROS_PER_MILLI), fence));
  }

  @Benchmark
  @OperationsPerInvocation(TIMERS_PER_INVOCATION)
  public void ours() {
    left = TIMERS_PER_INVOCATION;
    while (left > 0) {
      nowMillis++;
      wheel.takeDue(nowMillis * MICROS_PER_MILLI, Integer.MAX_VALUE, this::ourDue);
    }
  }

  private void ourDue(HeldMessage due) {
    left--;
    wheel.add(heldDueIn(HORIZON_MILLIS));
  }
}
