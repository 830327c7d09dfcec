package io.kairos.simulator.replica;

import io.kairos.domain.cron.outbox.Outbox;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.cron.CronApplication;
import io.kairos.engine.cron.EffectSender;
import io.kairos.engine.cron.EffectSink;
import io.kairos.engine.replica.Origin;
import io.kairos.engine.replica.ReplicatedLog;
import io.kairos.engine.replica.StateMachine;
import io.kairos.engine.time.Monotonic;
import java.time.InstantSource;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** How replicas are put together: as in production, or broken on purpose. */
interface SimWiring {
  SimWiring PRODUCTION = new SimWiring() {};

  default StateMachine machine(StateMachine machine) {
    return machine;
  }

  default CronApplication application(CronApplication application, ReplicaId self) {
    return application;
  }

  /** The log as those who send ticks and votes see it. */
  default ReplicatedLog log(ReplicatedLog log) {
    return log;
  }

  /** Who asks the outside for what actions decide. */
  default EffectSender effects(
      ReplicatedLog log,
      Outbox outbox,
      EffectSink sink,
      Monotonic monotonic,
      RandomGenerator random) {
    return new EffectSender(log, outbox, sink, monotonic, random);
  }

  /** The clock that a replica reads; null for none. */
  default @Nullable InstantSource clock(ReplicaId self, List<InstantSource> clocks) {
    return clocks.get(self.number());
  }

  /** Whether all replicas tick in every round. */
  default boolean allTick() {
    return false;
  }

  /** Where a request is believed to come from. */
  default Origin origin(Origin origin, long index) {
    return origin;
  }

  /** Whether a replica passes over a request. */
  default boolean passesOver(ReplicaId self, long index) {
    return false;
  }

  /** Whether a replica that comes back restores its state. */
  default boolean restoresWhatItKept() {
    return true;
  }
}
