package io.kairos.engine.replica;

import static io.kairos.engine.replica.DigestVotes.Verdict.AGREED;
import static io.kairos.engine.replica.DigestVotes.Verdict.DIVERGED;
import static io.kairos.engine.replica.DigestVotes.Verdict.OPEN;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaGroup.Faults;
import io.kairos.domain.replica.ReplicaId;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DigestVotesTest {
  private static final byte[] GOOD = {1, 2, 3};
  private static final byte[] BAD = {3, 2, 1};
  private static final byte[] WORSE = {0};

  private DigestVotes votes = new DigestVotes(new ReplicaGroup(3, Faults.CRASH));

  private DigestVotes.Verdict vote(int replica, long sequence, byte[] digest, byte[] own) {
    return votes.vote(new ReplicaId(replica), sequence, digest, Optional.of(own));
  }

  @Test
  void one_more_than_may_fail_agree() {
    assertThat(vote(0, 1_000, GOOD, GOOD)).isEqualTo(OPEN);
    assertThat(vote(2, 1_000, GOOD, GOOD)).isEqualTo(AGREED);
    assertThat(vote(1, 1_000, BAD, GOOD)).isEqualTo(AGREED);
  }

  @Test
  void who_has_another_state_than_these_has_parted() {
    assertThat(vote(1, 1_000, BAD, BAD)).isEqualTo(OPEN);
    assertThat(vote(0, 1_000, GOOD, BAD)).isEqualTo(OPEN);
    assertThat(vote(2, 1_000, GOOD, BAD)).isEqualTo(DIVERGED);
  }

  @Test
  void where_all_differ_all_have_parted() {
    assertThat(vote(0, 1_000, GOOD, GOOD)).isEqualTo(OPEN);
    assertThat(vote(1, 1_000, BAD, GOOD)).isEqualTo(OPEN);
    assertThat(vote(2, 1_000, WORSE, GOOD)).isEqualTo(DIVERGED);
  }

  @Test
  void as_many_as_may_lie_part_nobody_from_the_others() {
    votes = new DigestVotes(new ReplicaGroup(7, Faults.BYZANTINE));

    assertThat(vote(5, 1_000, BAD, GOOD)).isEqualTo(OPEN);
    assertThat(vote(6, 1_000, BAD, GOOD)).isEqualTo(OPEN);
    assertThat(vote(0, 1_000, GOOD, GOOD)).isEqualTo(OPEN);
    assertThat(vote(1, 1_000, GOOD, GOOD)).isEqualTo(OPEN);
    assertThat(vote(2, 1_000, GOOD, GOOD)).isEqualTo(AGREED);
  }

  @Test
  void a_replica_has_one_vote_at_a_sequence() {
    assertThat(vote(1, 1_000, BAD, GOOD)).isEqualTo(OPEN);
    assertThat(vote(1, 1_000, BAD, GOOD)).isEqualTo(OPEN);
    assertThat(vote(1, 1_000, GOOD, GOOD)).isEqualTo(OPEN);
    assertThat(vote(1, 2_000, BAD, GOOD)).isEqualTo(OPEN);
    assertThat(vote(0, 1_000, GOOD, GOOD)).isEqualTo(OPEN);
    assertThat(vote(2, 1_000, GOOD, GOOD)).isEqualTo(AGREED);
  }

  @Test
  void who_does_not_know_its_own_state_there_judges_nothing() {
    for (int replica = 0; replica < 3; replica++) {
      assertThat(votes.vote(new ReplicaId(replica), 1_000, BAD, Optional.empty())).isEqualTo(OPEN);
    }
  }

  @Test
  void a_single_replica_agrees_with_itself() {
    votes = new DigestVotes(new ReplicaGroup(1, Faults.CRASH));

    assertThat(vote(0, 1_000, GOOD, GOOD)).isEqualTo(AGREED);
  }

  @Test
  void old_votes_are_forgotten() {
    vote(0, 1_000, GOOD, GOOD);
    for (long sequence = 2_000; sequence < 70_000; sequence += 1_000) {
      vote(0, sequence, GOOD, GOOD);
    }

    assertThat(vote(1, 1_000, GOOD, GOOD)).isEqualTo(OPEN);
  }
}
