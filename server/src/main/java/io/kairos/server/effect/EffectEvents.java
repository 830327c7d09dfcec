package io.kairos.server.effect;

import io.kairos.domain.cron.outbox.EffectId;

/** Told what became of effects, on any thread; must not block. */
public interface EffectEvents {
  /** It was done, perhaps not just now. */
  void done(EffectId id, String kind);

  /** It never can be done: that occurrence is given up, with the reason. */
  void refused(EffectId id, String kind, String why);

  /** It was not done as far as is known, and is asked for again. */
  void notKnown(EffectId id, String kind, String why);
}
