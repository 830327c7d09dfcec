package io.kairos.server.observe;

import io.kairos.engine.replica.PeerReport;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** Meters of a {@link PeerReport}, read whenever the metrics are. */
public final class PeerGauges {
  private final MeterRegistry registry;
  private final Supplier<Optional<PeerReport>> reports;

  private PeerGauges(MeterRegistry registry, Supplier<Optional<PeerReport>> reports) {
    this.registry = registry;
    this.reports = reports;
  }

  /**
   * Registers the meters.
   *
   * @param first has all replicas and every kind that is counted
   * @param reports the present report; empty for none
   */
  public static void watch(
      MeterRegistry registry, PeerReport first, Supplier<Optional<PeerReport>> reports) {
    PeerGauges gauges = new PeerGauges(registry, reports);
    gauges.add("kairos.replica.round", "The round that is being decided", PeerReport::round);
    new MeterFactory(registry)
        .gaugeOfSeconds(
            "kairos.replica.agreed.time",
            "Time that the replicas agreed on for the last request, in seconds since 1970",
            () -> gauges.read(report -> report.agreed().toEpochMilli() / 1e3));
    gauges.add(
        "kairos.replica.silent",
        "1 while this replica says nothing, because it has lost what it said before",
        report -> report.isSilent() ? 1 : 0);
    first.peers().forEach(gauges::watch);
    first
        .strangers()
        .keySet()
        .forEach(kind ->
            gauges.count(
                "kairos.replica.strangers",
                "Trouble with connections of which nobody knows whose they were, by kind",
                report -> report.strangers().getOrDefault(kind, 0L),
                "kind",
                kind));
  }

  private void watch(PeerReport.Peer peer) {
    int number = peer.replica().number();
    String replica = Integer.toString(number);
    add(
        "kairos.replica.forked",
        "1 for a replica that has signed two things where one is allowed: it lies, or two processes have its key",
        report -> report.forkers().contains(peer.replica()) ? 1 : 0,
        "replica",
        replica);
    add(
        "kairos.replica.connected",
        "1 for a replica that is connected to this one",
        report -> report.peers().get(number).isConnected() ? 1 : 0,
        "replica",
        replica);
    peer.occurrences()
        .keySet()
        .forEach(kind ->
            count(
                "kairos.replica.occurrences",
                "Trouble that is counted for a replica, by kind",
                report -> report.peers().get(number).occurrences().getOrDefault(kind, 0L),
                "replica",
                replica,
                "kind",
                kind));
  }

  private double read(ToDoubleFunction<PeerReport> value) {
    return reports.get().map(value::applyAsDouble).orElse(0.0);
  }

  private void add(String name, String about, ToDoubleFunction<PeerReport> value, String... tags) {
    Gauge.builder(name, () -> read(value)).description(about).tags(tags).register(registry);
  }

  private void count(
      String name, String about, ToDoubleFunction<PeerReport> value, String... tags) {
    // A registry refers weakly to the object, and strongly to the function.
    FunctionCounter.builder(name, registry, _ -> read(value))
        .description(about)
        .tags(tags)
        .register(registry);
  }
}
