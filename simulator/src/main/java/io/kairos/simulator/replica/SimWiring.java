package io.kairos.simulator.replica;

import io.kairos.domain.cron.outbox.EffectOutbox;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.cron.CronApplication;
import io.kairos.engine.cron.EffectSender;
import io.kairos.engine.cron.EffectSink;
import io.kairos.engine.replica.ReplicatedLog;
import io.kairos.engine.replica.RequestOrigin;
import io.kairos.engine.replica.StateMachine;
import io.kairos.engine.time.MonotonicClock;
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

  /** Sends the effects that actions decide to the outside. */
  default EffectSender effects(
      ReplicatedLog log,
      EffectOutbox outbox,
      EffectSink sink,
      MonotonicClock monotonic,
      RandomGenerator random) {
    return new EffectSender(log, outbox, sink, monotonic, random);
  }

  /** The clock that a replica reads; null for none. */
  default @Nullable InstantSource clock(ReplicaId self, List<InstantSource> clocks) {
    return clocks.get(self.number());
  }

  /** True when all replicas tick in every round. */
  default boolean allTick() {
    return false;
  }

  /** The origin that a replica takes a request to have. */
  default RequestOrigin origin(RequestOrigin origin, long index) {
    return origin;
  }

  /** True when a replica skips a request. */
  default boolean passesOver(ReplicaId self, long index) {
    return false;
  }

  /** True when a replica that comes back restores its state. */
  default boolean restoresWhatItKept() {
    return true;
  }
}
