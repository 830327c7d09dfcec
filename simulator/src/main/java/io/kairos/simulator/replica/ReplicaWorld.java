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
  final SimCluster sim;
  final ReplicaTimeline timeline;
  final ReplicaJudge judge;
  final List<SimClock> clocks = new ArrayList<>();
  final SimOutside outside;
  final List<SimProcess> processes;

  ReplicaWorld(SimCluster sim, SplittableRandom random) {
    this.sim = sim;
    this.timeline = sim.timeline;
    this.judge = new ReplicaJudge(sim.cluster, timeline);
    sim.setWitness(judge);
    sim.cluster.replicas().forEach(_ -> clocks.add(new SimClock(timeline, random.split())));
    this.outside = new SimOutside(sim, random.split());
    List<InstantSource> readable = List.copyOf(clocks);
    this.processes =
        sim.cluster.replicas().stream()
            .map(replica -> new SimProcess(replica, sim, readable, judge, outside))
            .toList();
  }
}
