package io.kairos.engine.delay.memory;

import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.Fence;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import io.kairos.engine.delay.port.ClaimedMessage;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.agrona.DeadlineTimerWheel;
import org.agrona.collections.Long2ObjectHashMap;
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
 * due. Our wheel against Agrona's (with the map from its timer number to the message that we would
 * need beside it) and against a heap. In this package because the wheel is nobody else's business.
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
  private static final int TICKS_PER_WHEEL = 1 << 16;

  @Param({"100000", "1000000"})
  int timers;

  private final SplittableRandom random = new SplittableRandom(1);
  private final Fence fence = new Fence(new NodeId(new UUID(1, 2)), 3);
  private final DelayedMessage message =
      new DelayedMessage(
          new RouteId(1), new MessageId("message"), 0, null, new byte[0], null, new byte[256]);

  private Wheel wheel = new Wheel(0);
  private DeadlineTimerWheel agrona = newAgrona(1);
  private Long2ObjectHashMap<HeldMessage> agronaMessages = new Long2ObjectHashMap<>();
  private PriorityQueue<HeldMessage> heap = newHeap();
  private long nowMillis = START_MILLIS;
  private int left;

  /** With room in each slot from the start: growing copies the whole wheel. */
  private static DeadlineTimerWheel newAgrona(int timers) {
    int perTick = Integer.highestOneBit(Math.max(8, (int) (timers / HORIZON_MILLIS))) * 4;
    return new DeadlineTimerWheel(TimeUnit.MILLISECONDS, START_MILLIS, 1, TICKS_PER_WHEEL, perTick);
  }

  private static PriorityQueue<HeldMessage> newHeap() {
    return new PriorityQueue<>(Comparator.comparingLong(HeldMessage::dueMicros));
  }

  @Setup(Level.Iteration)
  public void fill() {
    nowMillis = START_MILLIS;
    wheel = new Wheel(START_MILLIS * MICROS_PER_MILLI);
    agrona = newAgrona(timers);
    agronaMessages = new Long2ObjectHashMap<>();
    heap = newHeap();
    for (int i = 0; i < timers; i++) {
      HeldMessage held = heldDueIn(1 + random.nextLong(HORIZON_MILLIS));
      wheel.add(held);
      heap.add(held);
      addToAgrona(held);
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

  @Benchmark
  @OperationsPerInvocation(TIMERS_PER_INVOCATION)
  public void agrona() {
    left = TIMERS_PER_INVOCATION;
    while (left > 0) {
      nowMillis++;
      while (agrona.poll(nowMillis, this::agronaDue, Integer.MAX_VALUE) > 0
          || agrona.currentTickTime() <= nowMillis) {
        // One call handles at most one tick.
      }
    }
  }

  private boolean agronaDue(TimeUnit unit, long now, long timer) {
    left--;
    agronaMessages.remove(timer);
    addToAgrona(heldDueIn(HORIZON_MILLIS));
    return true;
  }

  private void addToAgrona(HeldMessage held) {
    agronaMessages.put(agrona.scheduleTimer(held.dueMicros() / MICROS_PER_MILLI), held);
  }

  @Benchmark
  @OperationsPerInvocation(TIMERS_PER_INVOCATION)
  public void heap() {
    left = TIMERS_PER_INVOCATION;
    while (left > 0) {
      nowMillis++;
      long now = nowMillis * MICROS_PER_MILLI;
      for (HeldMessage head = heap.peek();
          head != null && head.dueMicros() <= now;
          head = heap.peek()) {
        heap.remove();
        left--;
        heap.add(heldDueIn(HORIZON_MILLIS));
      }
    }
  }
}
