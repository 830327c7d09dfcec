package io.kairos.bench.byzantine;

import io.kairos.bench.report.RunVerdict;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What a demo has shown.
 *
 * @param areEqual whether the digests of the honest replicas were equal in the end
 * @param acknowledged requests of the client
 * @param lost of these, summed over the honest replicas
 * @param forkers as each honest replica names them
 * @param pushes ids of those that arrived
 * @param seconds since the entry that pushes was put
 */
record DemoOutcome(
    List<AttackRecord> attacks,
    boolean areEqual,
    int acknowledged,
    int lost,
    List<List<Integer>> forkers,
    Set<String> pushes,
    long seconds) {
  /** The id of a push of the entry; the last number is that of the tick that decided it. */
  private static final Pattern PUSH =
      Pattern.compile(
          "%s/%d-%d-\\d+"
              .formatted(
                  ByzantineCluster.NAME,
                  ByzantineDemoCommand.COMPONENT,
                  ByzantineDemoCommand.BEAT));

  /** Pushes that a second may have beyond one: the first and the last one. */
  private static final int PUSHES_BESIDE = 2;

  RunVerdict verdict() {
    RunVerdict verdict = new RunVerdict();
    for (AttackRecord each : attacks) {
      String attack = each.attack().name();
      verdict
          .expect(each.done() > 0, attack + ": the hostile replica has done nothing of it")
          .expect(each.requests() > 0, attack + ": no request was executed")
          .expect(each.pushes() > 0, attack + ": the table did not advance")
          .expect(each.clock().isSmall(), attack + ": " + each.clock())
          .expect(
              each.isNoticed(),
              attack + ": fewer than two replicas have counted any of " + each.attack().signs());
    }
    List<Integer> hostile =
        attacks.stream().anyMatch(each -> each.attack() == Attack.FORKS)
            ? List.of(ByzantineCluster.HOSTILE)
            : List.of();
    return verdict
        .expect(areEqual, "the digests of the three are not equal")
        .expect(acknowledged > 0, "no request of the client was acknowledged")
        .expect(lost == 0, lost + " acknowledged requests are lost")
        .expect(
            forkers.equals(Collections.nCopies(ByzantineCluster.HOSTILE, hostile)),
            "the three name as forkers %s, not each %s".formatted(forkers, hostile))
        .expect(
            pushes.stream().allMatch(id -> PUSH.matcher(id).matches())
                && pushes.size() <= seconds + PUSHES_BESIDE,
            "%d pushes in %d seconds, some of which no entry asked for"
                .formatted(pushes.size(), seconds));
  }
}
