package io.kairos.domain.cron.outbox;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.cron.ComponentId;
import java.util.Comparator;

/**
 * Name of an effect, the same on every replica: which entry decided it, and at which tick. Unique
 * in the life of a log. Ordered as they were decided.
 *
 * @param sequence of the tick
 */
public record EffectId(ComponentId component, int position, long sequence)
    implements Comparable<EffectId> {
  private static final Comparator<EffectId> AS_DECIDED =
      Comparator.comparingLong(EffectId::sequence)
          .thenComparingInt(EffectId::position)
          .thenComparing(EffectId::component);

  /** Throws {@link IllegalArgumentException} for a number that no entry or tick has. */
  public EffectId {
    requireNonNull(component, "component");
    if (position < 0 || sequence < 1) {
      throw new IllegalArgumentException(
          "no entry decides at position %d, tick %d".formatted(position, sequence));
    }
  }

  @Override
  public int compareTo(EffectId other) {
    return AS_DECIDED.compare(this, other);
  }

  /** For those outside who know it by a text. */
  @Override
  public String toString() {
    return component.value() + "-" + position + "-" + sequence;
  }
}
