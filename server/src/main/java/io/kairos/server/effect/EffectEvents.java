package io.kairos.server.effect;

import io.kairos.domain.cron.outbox.EffectId;

/** Listener for the outcomes of effects. Called on any thread; must not block. */
public interface EffectEvents {
  /** The effect is done, by this request or an earlier one. */
  void done(EffectId id, String kind);

  /** The effect can never be done and is given up. */
  void refused(EffectId id, String kind, String why);

  /** The outcome is unknown; the effect is retried. */
  void notKnown(EffectId id, String kind, String why);
}
