package io.kairos.hashgraph;

import io.kairos.domain.replica.ReplicaId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Carries messages late, in any order, or not at all. */
final class SimulatedNetwork {
  private static final long MICROS = 1_000;

  private final Timeline timeline;
  private final SplittableRandom random;
  private final int[] sides;

  /** Those who listen, by replica: one, or a liar's twins. */
  private final List<List<Listener>> listeners = new ArrayList<>();

  /** Messages lost, per thousand. */
  int lostPerMille;

  int slowness = 1;

  interface Listener {
    void receive(ReplicaId from, byte[] message);
  }

  SimulatedNetwork(int replicas, Timeline timeline, SplittableRandom random) {
    this.timeline = timeline;
    this.random = random;
    this.sides = new int[replicas];
    for (int i = 0; i < replicas; i++) {
      listeners.add(new ArrayList<>());
    }
  }

  void listen(ReplicaId replica, Listener listener) {
    listeners.get(replica.number()).add(listener);
  }

  void put(ReplicaId replica, int side) {
    sides[replica.number()] = side;
  }

  void heal() {
    Arrays.fill(sides, 0);
    lostPerMille = 0;
    slowness = 1;
  }

  void send(ReplicaId from, ReplicaId to, byte[] message) {
    if (sides[from.number()] != sides[to.number()] || random.nextInt(1_000) < lostPerMille) {
      return;
    }
    timeline.after(
        random.nextLong(200, 4_000) * MICROS * slowness,
        () -> List.copyOf(listeners.get(to.number())).forEach(each -> each.receive(from, message)));
  }
}
