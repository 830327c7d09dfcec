package io.kairos.bench.fault;

import io.kairos.bench.report.Shown;
import io.kairos.bench.rig.NodeProcess;
import io.kairos.bench.rig.Rig;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Something that nodes stand on is away for a while under load, twice: nothing may be lost, the
 * nodes live on, hardly use the processor meanwhile, and go on alone afterwards.
 */
final class Outage implements Fault {
  /** At first a node may be busy with what it had begun. */
  private static final Duration CALM_AFTER = Duration.ofSeconds(5);

  private static final double MOST_CORES = 0.05;
  private static final Duration PUNCTUAL = Duration.ofMillis(500);

  private static final int NODES = 2;

  private final String name;
  private final String about;
  private final Step goAway;
  private final Step comeBack;

  /** Makes something go away or come back. */
  @FunctionalInterface
  interface Step {
    void happen(Rig rig);
  }

  Outage(String name, String about, Step goAway, Step comeBack) {
    this.name = name;
    this.about = about;
    this.goAway = goAway;
    this.comeBack = comeBack;
  }

  static List<Fault> all() {
    return List.of(
        new Outage(
            "postgres-kill",
            "Postgres is killed, away for a while and started again",
            rig -> rig.postgres().kill(),
            rig -> rig.postgres().restart()),
        new Outage(
            "postgres-hang",
            "Postgres stands still: connections stay open and get no answer",
            rig -> rig.postgres().pause(),
            rig -> rig.postgres().resume()),
        new Outage(
            "broker-kill",
            "the broker is killed, away for a while and started again",
            rig -> rig.broker().kill(),
            rig -> rig.broker().restart()),
        new Outage(
            "broker-hang",
            "the broker stands still: connections stay open and get no answer",
            rig -> rig.broker().pause(),
            rig -> rig.broker().resume()));
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String about() {
    return about;
  }

  @Override
  public Verdict happen(FaultContext context) throws SQLException {
    Verdict verdict = new Verdict(name + " for " + Shown.duration(context.outage()));
    try (Rig rig = Rig.start(context.workplace(), context.server());
        Scene scene =
            Scene.begin(
                rig,
                rig.newRoute(context.partitions()),
                context.settings(),
                NODES,
                context.load())) {
      context.progress().say(name + ": warming up for " + Shown.duration(context.warmup()));
      scene.goOn(context.warmup());
      List<NodeProcess> nodes = scene.nodes();
      // Both count for the accounts. The processor time of the first is shown and not judged: the
      // JIT compiler meets in it, once in a process's life, what only an outage runs.
      outage(rig, scene, context, "the first time", verdict);
      double most = outage(rig, scene, context, "again", verdict);
      verdict.demand(
          most <= MOST_CORES || isShort(context.outage()),
          "a node used more than 5 % of a core while it could do nothing");
      verdict.demand(scene.nodes().equals(nodes), "a node did not survive");
      return verdict.account(scene.settle());
    }
  }

  /** Returns the cores that the busiest node used meanwhile. */
  private double outage(Rig rig, Scene scene, FaultContext context, String which, Verdict verdict) {
    goAway.happen(rig);
    context.progress().say(name + ": away " + which);
    List<Double> cores = cores(scene, context.outage());
    comeBack.happen(rig);
    context.progress().say(name + ": back");
    long back = System.nanoTime();
    boolean punctual = scene.awaitPunctual(PUNCTUAL, Duration.ofMinutes(2).plus(context.outage()));
    verdict.demand(punctual, "messages did not become punctual again");
    verdict.saw(
        "away " + which,
        "cores used: %s; punctual again %s after it was back"
            .formatted(
                cores.stream()
                    .map(used -> Shown.decimal(used * 100) + " %")
                    .collect(Collectors.joining(", ")),
                Shown.millis((System.nanoTime() - back) / 1e6 - Scene.PUNCTUAL_FOR_MICROS / 1e3)));
    return Collections.max(cores);
  }

  private static boolean isShort(Duration outage) {
    return outage.compareTo(CALM_AFTER.multipliedBy(2)) <= 0;
  }

  /** Lets the outage last; the figure of each node once it has noticed. */
  private static List<Double> cores(Scene scene, Duration outage) {
    Duration calm = isShort(outage) ? Duration.ZERO : CALM_AFTER;
    scene.goOn(calm);
    List<NodeProcess> nodes = scene.nodes();
    List<Duration> before = nodes.stream().map(NodeProcess::processorTime).toList();
    long began = System.nanoTime();
    scene.goOn(outage.minus(calm));
    double seconds = (System.nanoTime() - began) / 1e9;
    List<Double> cores = new ArrayList<>();
    for (int i = 0; i < nodes.size(); i++) {
      Duration used = nodes.get(i).processorTime().minus(before.get(i));
      cores.add(used.toNanos() / 1e9 / seconds);
    }
    return cores;
  }
}
