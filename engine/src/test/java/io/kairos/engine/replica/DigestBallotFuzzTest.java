package io.kairos.engine.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.engine.replica.OrderedExecution.Checkpoint;
import io.kairos.fuzzing.ParserFuzz;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Votes come from replicas that may lie: what is taken has one form, and the rest is no vote. */
class DigestBallotFuzzTest {
  @TestFactory
  DynamicTest every_ballot_is_taken_or_is_none() {
    return ParserFuzz.bytes(
            "digest-ballot",
            input -> {
              List<Checkpoint> votes = DigestBallot.decode(input);
              assertThat(votes.isEmpty() ? new byte[0] : DigestBallot.encode(votes))
                  .isEqualTo(input.length % 40 == 0 ? input : new byte[0]);
            })
        .seeds(
            List.of(
                DigestBallot.encode(List.of(new Checkpoint(1_000, new byte[32]))),
                DigestBallot.encode(
                    List.of(new Checkpoint(-1, new byte[32]), new Checkpoint(7, new byte[32])))))
        .allocating(1)
        .test();
  }
}
