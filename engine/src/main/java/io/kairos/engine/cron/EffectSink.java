package io.kairos.engine.cron;

import io.kairos.domain.cron.outbox.Effect;
import java.util.function.Consumer;

/**
 * Carries out the external effects that actions decide. Replicas repeat a request until they learn
 * that the effect is done, also after a crash, so the receiver must be idempotent by effect id and
 * remember ids for as long as a replica may be cut off from the others. Ids are unique in the life
 * of a log; a receiver that serves several clusters gets them with the name of the cluster.
 */
public interface EffectSink {
  /** The state of an effect. */
  enum Answer {
    /** The effect is done, now or earlier; or can never be done, and is parked with the reason. */
    DONE,
    /** The effect may be done or not, and must be requested again. */
    NOT_KNOWN
  }

  /**
   * Asks for an effect. Called on the log's thread: neither blocks nor throws.
   *
   * @param answered called once, in bounded time, on any thread
   */
  void ask(Effect effect, Consumer<Answer> answered);
}
