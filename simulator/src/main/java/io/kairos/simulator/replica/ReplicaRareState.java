package io.kairos.simulator.replica;

/** States that are easily missed: some seed must reach each. */
public enum ReplicaRareState {
  SNAPSHOT_TO_A_RUNNING_REPLICA,
  LEADER_CRASHED,
  ALL_DOWN,
  WIPED,
  SAME_REQUEST_ORDERED_TWICE,
  ROUND_BEGUN_OUT_OF_TURN,
  TIME_STOOD_STILL,
  WRONG_CLOCK,
  FLOODED,
  TICK_OF_A_PAST_ROUND,
  OUTSIDE_HEARS_NOTHING,
  ANSWER_LOST,
  EFFECT_ASKED_FOR_BY_SEVERAL
}
