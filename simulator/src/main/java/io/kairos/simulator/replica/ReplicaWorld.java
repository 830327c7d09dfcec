package io.kairos.simulator.replica;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The replicas of a simulated cluster with their network, clocks and receivers, before any replica
 * is started.
 */
class ReplicaWorld {
  final ReplicaCluster sim;
  final ReplicaTimeline timeline;
  final ReplicaJudge judge;
  final List<ReplicaClock> clocks = new ArrayList<>();
  final EffectTarget outside;
  final List<ReplicaLife> processes;

  ReplicaWorld(ReplicaCluster sim, SplittableRandom random) {
    this.sim = sim;
    this.timeline = sim.timeline;
    this.judge = new ReplicaJudge(sim.cluster, timeline);
    sim.setWitness(judge);
    sim.cluster.replicas().forEach(_ -> clocks.add(new ReplicaClock(timeline, random.split())));
    this.outside = new EffectTarget(sim, random.split());
    List<InstantSource> readable = List.copyOf(clocks);
    this.processes =
        sim.cluster.replicas().stream()
            .map(replica -> new ReplicaLife(replica, sim, readable, judge, outside))
            .toList();
  }
}
