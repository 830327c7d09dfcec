package io.kairos.simulator.replica;

import static io.kairos.simulator.kernel.RareState.ANSWER_LOST;
import static io.kairos.simulator.kernel.RareState.OUTSIDE_HEARS_NOTHING;

import io.kairos.domain.cron.outbox.EffectId;
import io.kairos.domain.cron.outbox.EffectOutbox;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.cron.EffectSink;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * The system outside of all replicas, which receives effects: it carries out each id once, after a
 * while. Until it is healed, some requests to it and some of its answers are lost.
 */
final class EffectTarget {
  private static final long MILLI = 1_000_000;
  private static final int USUALLY_LOST_PER_MILLE = 150;

  private final ReplicaCluster sim;
  private final SplittableRandom random;
  private final Set<EffectId> done = new HashSet<>();
  private int lostPerMille = USUALLY_LOST_PER_MILLE;

  EffectTarget(ReplicaCluster sim, SplittableRandom random) {
    this.sim = sim;
    this.random = random;
  }

  /** Hears nothing for a while. */
  void goAway(long nanos) {
    lostPerMille = 1_000;
    sim.timeline.after(nanos, () -> lostPerMille = Math.min(lostPerMille, USUALLY_LOST_PER_MILLE));
  }

  void heal() {
    lostPerMille = 0;
  }

  boolean hasDone(EffectId id) {
    return done.contains(id);
  }

  /**
   * The sink of effects of one life of a replica.
   *
   * @param outbox the replica's
   */
  EffectSink seenBy(ReplicaId replica, EffectOutbox outbox) {
    Set<EffectId> askedBefore = new HashSet<>();
    return (effect, answered) -> {
      boolean isFirst = askedBefore.add(effect.id());
      sim.witness().asked(effect, replica, outbox, isFirst ? sim.behind(replica) : Duration.ZERO);
      sim.timeline.after(random.nextLong(MILLI, 400 * MILLI), () -> hear(effect.id(), answered));
    };
  }

  /** Random numbers for senders of effects. */
  RandomGenerator chance() {
    return random;
  }

  private void hear(EffectId id, Consumer<EffectSink.Answer> answered) {
    if (loses()) {
      sim.witness().reached(OUTSIDE_HEARS_NOTHING);
      answered.accept(EffectSink.Answer.NOT_KNOWN);
      return;
    }
    done.add(id);
    if (loses()) {
      sim.witness().reached(ANSWER_LOST);
      answered.accept(EffectSink.Answer.NOT_KNOWN);
    } else {
      answered.accept(EffectSink.Answer.DONE);
    }
  }

  private boolean loses() {
    return lostPerMille > 0 && random.nextInt(1_000) < lostPerMille;
  }
}
