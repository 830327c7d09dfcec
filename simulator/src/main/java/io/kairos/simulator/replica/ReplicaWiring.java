package io.kairos.simulator.replica;

import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.cron.CronApplication;
import io.kairos.engine.cron.EffectSink;
import io.kairos.engine.replica.ReplicatedLog;
import io.kairos.engine.replica.RequestOrigin;
import io.kairos.engine.replica.StateMachine;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The assembly of replicas: as in production, or with a deliberate fault. */
public interface ReplicaWiring {
  ReplicaWiring PRODUCTION = new ReplicaWiring() {};

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

  /** The log as the sender of effects sees it. */
  default ReplicatedLog logOfEffects(ReplicatedLog log) {
    return log;
  }

  /** Carries the effects that actions decide to the outside. */
  default EffectSink sink(EffectSink sink, ReplicaId self) {
    return sink;
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
