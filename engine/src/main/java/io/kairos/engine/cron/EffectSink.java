package io.kairos.engine.cron;

import io.kairos.domain.cron.outbox.Effect;
import java.util.function.Consumer;

/**
 * The outside, as far as actions want something of it. Replicas ask again until they are told that
 * an effect is done, also after a crash: whoever is behind this does once what is asked for under
 * the same id, and knows ids for as long as a replica may be cut off from the others. Ids are
 * unique in the life of a log: to one that serves several clusters they come with the cluster's
 * name.
 */
public interface EffectSink {
  /** What is known of an effect. */
  enum Answer {
    /** It is done, perhaps not just now; or never can be, and is parked with the reason. */
    DONE,
    /** It may be done or not: to be asked for again. */
    NOT_KNOWN
  }

  /**
   * Asks for an effect. Called on the log's thread: neither blocks nor throws.
   *
   * @param answered called once, in bounded time, on any thread
   */
  void ask(Effect effect, Consumer<Answer> answered);
}
