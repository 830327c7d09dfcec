package io.kairos.server.effect;

/**
 * Told what became of what is asked of the outside, on any thread; must not block. An effect is
 * known by its id, and a call that is none by nothing.
 */
public interface EffectEvents {
  /** It was done, perhaps not just now. */
  void done(String effect, String kind);

  /** It never can be done: that occurrence is given up, with the reason. */
  void refused(String effect, String kind, String why);

  /** It was not done as far as is known, and is asked for again. */
  void notKnown(String effect, String kind, String why);
}
