package io.kairos.server.observe;

import com.sun.management.OperatingSystemMXBean;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import java.lang.management.ManagementFactory;
import java.util.Set;

/** Metrics of the virtual machine and the process, as Micrometer names them. */
public final class MachineMetrics {
  private static final double NANOS_PER_SECOND = 1e9;

  /**
   * The first two would take a quarter of each scrape: a walk over all stacks for each state of a
   * thread, and the files of the control group. The machine's own exporter tells the second. The
   * others break the conventions of Prometheus by their units and names.
   */
  private static final Set<String> LEFT_OUT =
      Set.of("jvm.threads.states", "system.cpu.usage", "process.cpu.time", "system.cpu.count");

  private MachineMetrics() {}

  /**
   * Registers them.
   *
   * @return ends the watch on collections
   */
  public static AutoCloseable watch(MeterRegistry registry) {
    registry.config().meterFilter(MeterFilter.deny(id -> LEFT_OUT.contains(id.getName())));
    new JvmMemoryMetrics().bindTo(registry);
    JvmGcMetrics collections = new JvmGcMetrics();
    collections.bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    FunctionCounter.builder(
            "process.cpu", system, bean -> bean.getProcessCpuTime() / NANOS_PER_SECOND)
        .description("Processor time of the process, user and system")
        .baseUnit("seconds")
        .register(registry);
    return collections;
  }
}
