package io.kairos.server.figures;

import com.sun.management.OperatingSystemMXBean;
import io.kairos.engine.cluster.DetailFigures;
import io.kairos.engine.cluster.NodeSample;
import io.kairos.engine.cluster.NodeState;
import io.kairos.engine.cluster.PeriodFigures;
import io.kairos.engine.time.MonotonicClock;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes what this process has counted, and looks at processor time and heap. Called by one thread,
 * every few seconds; does not block.
 */
public final class NodeFigureSource implements Supplier<NodeSample> {
  private final Identity identity;
  private final List<Supplier<PeriodFigures>> counts;
  private final List<Supplier<DetailFigures>> details;
  private final Supplier<@Nullable Duration> clockOffset;
  private final Supplier<List<String>> obstacles;
  private final MonotonicClock monotonic;
  private final OperatingSystemMXBean system =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private final MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
  private long lastNanos;
  private long lastProcessorNanos;
  private boolean hasLast;

  /**
   * Facts of the node that do not change.
   *
   * @param doors the kinds of work that the node takes in
   */
  public record Identity(String name, String version, List<String> doors) {
    public Identity {
      doors = List.copyOf(doors);
    }
  }

  /**
   * @param counts each takes what was counted since its last call
   * @param details the same by handler and endpoint
   * @param clockOffset the node's clock minus the store's; null while it is not known
   * @param obstacles reasons why the node cannot do all of its work
   */
  public NodeFigureSource(
      Identity identity,
      List<Supplier<PeriodFigures>> counts,
      List<Supplier<DetailFigures>> details,
      Supplier<@Nullable Duration> clockOffset,
      Supplier<List<String>> obstacles,
      MonotonicClock monotonic) {
    this.identity = identity;
    this.counts = List.copyOf(counts);
    this.details = List.copyOf(details);
    this.clockOffset = clockOffset;
    this.obstacles = obstacles;
    this.monotonic = monotonic;
  }

  /** Host and process id, such as {@code db-7/4711}. Asks the system for the host's name. */
  public static String processName() {
    String name = ManagementFactory.getRuntimeMXBean().getName(); // 4711@db-7
    int at = name.indexOf('@');
    return at < 0 ? name : name.substring(at + 1) + "/" + name.substring(0, at);
  }

  @Override
  public NodeSample get() {
    PeriodFigures figures =
        counts.stream().map(Supplier::get).reduce(PeriodFigures.NONE, PeriodFigures::plus);
    return new NodeSample(
        new NodeState(
            identity.name(),
            identity.version(),
            identity.doors(),
            clockOffset.get(),
            load(),
            memory.getHeapMemoryUsage().getUsed(),
            obstacles.get()),
        figures,
        details.stream().map(Supplier::get).reduce(DetailFigures.NONE, DetailFigures::plus));
  }

  /** Since the last call; null at the first one, and where the system does not tell. */
  private @Nullable Double load() {
    long nowNanos = monotonic.nanos();
    long processorNanos = system.getProcessCpuTime();
    Double load =
        hasLast && processorNanos >= 0 && nowNanos > lastNanos
            ? (Double) ((double) (processorNanos - lastProcessorNanos) / (nowNanos - lastNanos))
            : null;
    hasLast = processorNanos >= 0;
    lastNanos = nowNanos;
    lastProcessorNanos = processorNanos;
    return load;
  }
}
