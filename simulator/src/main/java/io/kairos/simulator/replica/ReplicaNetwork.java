package io.kairos.simulator.replica;

import io.kairos.domain.replica.ReplicaId;
import java.util.Arrays;
import java.util.SplittableRandom;

/** The network between replicas: reachability, delays and losses. */
final class ReplicaNetwork {
  private static final long MICROS = 1_000;

  private final SplittableRandom random;
  private final int[] sides;

  /** Messages lost, per thousand. */
  int lostPerMille;

  /** Requests that a replica drops from its queue, per thousand. */
  int droppedPerMille;

  int slowness = 1;

  ReplicaNetwork(int replicas, SplittableRandom random) {
    this.random = random;
    this.sides = new int[replicas];
  }

  boolean reaches(ReplicaId one, ReplicaId other) {
    return sides[one.number()] == sides[other.number()];
  }

  /** Puts a replica on a side; those of other sides do not reach it. */
  void put(ReplicaId replica, int side) {
    sides[replica.number()] = side;
  }

  void heal() {
    Arrays.fill(sides, 0);
    lostPerMille = 0;
    droppedPerMille = 0;
    slowness = 1;
  }

  void joinAll() {
    Arrays.fill(sides, 0);
  }

  long travelNanos() {
    return random.nextLong(200, 3_000) * MICROS * slowness;
  }

  /** Virtual nanoseconds that a request waits in a replica's queue. */
  long queueNanos() {
    return random.nextLong(1, 500) * MICROS;
  }

  long electionNanos() {
    return random.nextLong(150_000, 400_000) * MICROS;
  }

  /** Virtual nanoseconds after which a request that was not executed is sent again. */
  long retryNanos() {
    return random.nextLong(300_000, 900_000) * MICROS;
  }

  boolean loses() {
    return lostPerMille > 0 && random.nextInt(1_000) < lostPerMille;
  }

  boolean drops() {
    return droppedPerMille > 0 && random.nextInt(1_000) < droppedPerMille;
  }

  int chunk() {
    return random.nextInt(1, 100);
  }
}
