package io.kairos.engine.poll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.engine.loop.NextRound;
import io.kairos.engine.loop.StepActivity;
import io.kairos.engine.loop.Wakeup;
import io.kairos.engine.poll.StepReport.Outcome;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Two steps that look and one that does not; the test is the thread of each. */
class StepPollingTest {
  private static final NextRound REST = NextRound.after(Duration.ofSeconds(1));

  private final Scripted claim = new Scripted("claim");
  private final Scripted reap = new Scripted("reap-tasks");
  private final Scripted settle = new Scripted("settle");
  private final List<List<StepReport>> answers = new ArrayList<>();

  /** Does what the script says, then is at rest. */
  private static final class Scripted implements Wakeup {
    private final String name;
    private final Deque<Supplier<NextRound>> script = new ArrayDeque<>();
    private int rounds;
    private int signals;

    Scripted(String name) {
      this.name = name;
    }

    void then(Supplier<NextRound> round) {
      script.add(round);
    }

    NextRound runOnce() {
      rounds++;
      Supplier<NextRound> round = script.poll();
      return round == null ? REST : round.get();
    }

    @Override
    public void signal() {
      signals++;
    }

    @Override
    public void await(Duration atMost) {
      throw new AssertionError("nobody waits here");
    }
  }

  private StepPolling polling(boolean byTime) {
    List<StepActivity> activities = new ArrayList<>();
    activities.add(StepActivity.looking(claim.name, claim::runOnce, claim));
    activities.add(StepActivity.serving(settle.name, settle::runOnce, settle));
    activities.add(StepActivity.looking(reap.name, reap::runOnce, reap));
    return new StepPolling(activities, byTime);
  }

  private StepPolling.Poll poll(StepPolling polling) {
    return polling.poll(answers::add).orElseThrow();
  }

  private static NextRound round(StepPolling polling, int activity) {
    return polling.activities().get(activity).step().runOnce();
  }

  private static StepReport atRest(String step, int rounds, int done) {
    return new StepReport(step, rounds, done, Outcome.AT_REST);
  }

  @Test
  void ph11_a_poll_has_every_step_that_looks_do_so_and_says_what_it_did() {
    StepPolling polling = polling(false);
    claim.then(() -> REST.having(3));

    poll(polling);
    assertThat(List.of(claim.signals, settle.signals, reap.signals)).containsExactly(1, 0, 1);
    round(polling, 0);
    assertThat(answers).isEmpty();
    round(polling, 2);

    assertThat(answers).containsExactly(List.of(atRest("claim", 1, 3), atRest("reap-tasks", 1, 0)));
  }

  @Test
  void a_poll_lasts_until_nothing_is_left_to_do() {
    StepPolling polling = polling(false);
    claim.then(() -> NextRound.AT_ONCE.having(1_000));
    claim.then(() -> NextRound.AT_ONCE.having(1_000));
    claim.then(() -> REST.having(7));
    poll(polling);
    round(polling, 2);

    assertThat(round(polling, 0).after()).isZero();
    assertThat(round(polling, 0).after()).isZero();
    assertThat(answers).isEmpty();
    round(polling, 0);

    assertThat(answers.getFirst().getFirst()).isEqualTo(atRest("claim", 3, 2_007));
  }

  @Test
  void a_poll_lasts_while_others_do_what_is_left() {
    StepPolling polling = polling(false);
    Duration soon = Duration.ofMillis(50);
    claim.then(() -> NextRound.retry(soon));
    poll(polling);
    round(polling, 2);

    assertThat(round(polling, 0).after()).isEqualTo(soon);
    assertThat(answers).isEmpty();
    round(polling, 0);

    assertThat(answers.getFirst().getFirst()).isEqualTo(atRest("claim", 2, 0));
  }

  @Test
  void ph36_polls_that_overlap_share_a_round() {
    StepPolling polling = polling(false);
    poll(polling);
    poll(polling);

    round(polling, 0);
    round(polling, 2);

    assertThat(answers).hasSize(2);
    assertThat(claim.rounds).isEqualTo(1);
  }

  @Test
  void who_polls_while_a_round_is_under_way_gets_the_next_one_too() {
    StepPolling polling = polling(false);
    claim.then(() -> {
      poll(polling);
      return REST;
    });
    round(polling, 0);
    round(polling, 2);
    assertThat(answers).isEmpty();

    round(polling, 0);

    assertThat(answers).hasSize(1);
  }

  @Test
  void ph18_a_step_that_fails_is_told_and_tried_again_and_stops_no_other() {
    StepPolling polling = polling(false);
    claim.then(() -> {
      throw new UnsupportedOperationException("the store is away");
    });
    poll(polling);
    round(polling, 2);

    assertThatThrownBy(() -> round(polling, 0)).hasMessage("the store is away");

    assertThat(answers)
        .containsExactly(
            List.of(new StepReport("claim", 0, 0, Outcome.FAILED), atRest("reap-tasks", 1, 0)));
  }

  @Test
  void an_error_goes_through_and_is_no_answer() {
    StepPolling polling = polling(false);
    claim.then(() -> {
      throw new StackOverflowError("injected");
    });
    poll(polling);
    round(polling, 2);

    assertThatThrownBy(() -> round(polling, 0)).isInstanceOf(StackOverflowError.class);

    assertThat(answers).isEmpty();
  }

  @Test
  void a_poll_whose_time_is_over_says_what_there_is_and_what_is_under_way_goes_on() {
    StepPolling polling = polling(false);
    claim.then(() -> NextRound.AT_ONCE.having(5));
    StepPolling.Poll poll = poll(polling);
    round(polling, 0);

    poll.end();

    assertThat(answers)
        .containsExactly(
            List.of(
                new StepReport("claim", 1, 5, Outcome.UNFINISHED),
                new StepReport("reap-tasks", 0, 0, Outcome.UNFINISHED)));
    round(polling, 0);
    round(polling, 2);
    poll.end();
    assertThat(answers).hasSize(1);
  }

  @Test
  void a_node_that_is_driven_from_outside_sleeps_until_it_is_signalled() {
    assertThat(round(polling(false), 0).after()).isGreaterThan(Duration.ofDays(100));
    assertThat(round(polling(true), 0)).isEqualTo(REST);
    assertThat(round(polling(false), 1)).isEqualTo(REST);
  }

  @Test
  void polls_that_wait_have_a_bound() {
    StepPolling polling = polling(false);
    List<StepPolling.Poll> polls = new ArrayList<>();
    for (int i = 0; i < StepPolling.MOST; i++) {
      polls.add(poll(polling));
    }
    assertThat(polling.poll(answers::add)).isEmpty();

    polls.getFirst().end();

    assertThat(polling.poll(answers::add)).isPresent();
  }
}
