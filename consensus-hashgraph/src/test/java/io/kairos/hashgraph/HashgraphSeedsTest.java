package io.kairos.hashgraph;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.hashgraph.HashgraphSimulation.Outcome;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Seeds that found something once, and some that are new. {@code -Dsim.seed} replays one. */
class HashgraphSeedsTest {
  /**
   * By these, before the simulation's times changed, an event of the year 3000 killed the engine
   * (8); a replica came back with its own events unread (7), asked so that nobody knew what it
   * lacked (1004), and waited for a fork that it was not given (19). What they found has tests of
   * its own. A replica that had lost its journal waited for rounds when load ended too early
   * (100065), and a liar began to lie only after it (100799).
   */
  private static final List<Long> INSTRUCTIVE = List.of(8L, 7L, 1004L, 19L, 100_065L, 100_799L);

  private static final boolean LONG = Boolean.getBoolean("kairos.long");
  private static final int SEEDS = Integer.getInteger("sim.seeds", LONG ? 600 : 12);

  /** Of which so few seeds come by that they have tests of their own, or that only cron has. */
  private static final Set<RareState> ELSEWHERE =
      EnumSet.of(
          RareState.FALSE_PIECE_SENT,
          RareState.FALSE_PIECE_FOUND,
          RareState.REQUEST_SKIPPED,
          RareState.TICK_BUDGET_SPENT);

  /** Which are also too rare for the short run. */
  private static final Set<RareState> LONG_ONLY =
      EnumSet.of(
          RareState.DISAGREEMENT_REFUSED,
          RareState.NO_ROOM_TO_WAIT,
          RareState.STALE_SUBMITTED_AGAIN,
          RareState.REAL_SIGNATURES);

  @Test
  void clusters_with_liars_come_to_one_end_and_every_rare_state_is_reached() {
    Long replayed = HashgraphSimulation.replayed();
    List<Long> seeds = new ArrayList<>(replayed == null ? INSTRUCTIVE : List.of(replayed));
    for (long seed = 100; replayed == null && seed < 100 + SEEDS; seed++) {
      seeds.add(seed);
    }
    Set<RareState> missing = EnumSet.complementOf(EnumSet.copyOf(ELSEWHERE));
    if (!LONG) {
      missing.removeAll(LONG_ONLY);
    }
    for (long seed : seeds) {
      Outcome outcome = HashgraphSimulation.run(seed);
      assertThat(outcome.broken()).as(outcome.report()).isEmpty();
      missing.removeAll(outcome.reached().keySet());
    }
    if (replayed == null) {
      assertThat(missing).as("states never reached in %d seeds", seeds.size()).isEmpty();
    }
  }

  @Test
  void the_same_seed_gives_the_same_history() {
    Outcome once = HashgraphSimulation.run(3);
    Outcome again = HashgraphSimulation.run(3);

    assertThat(again.history()).isEqualTo(once.history());
    assertThat(again.actions()).isEqualTo(once.actions());
  }
}
