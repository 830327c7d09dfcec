package io.kairos.domain.cron.outbox;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.cron.ComponentId;
import java.util.Comparator;

/**
 * Name of an effect, equal on every replica: the entry that decided it, and the tick. Unique in the
 * life of a log. Ids are ordered as effects were decided.
 *
 * @param sequence the sequence of the tick
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

  /** The text by which receivers know the effect. */
  @Override
  public String toString() {
    return component.value() + "-" + position + "-" + sequence;
  }
}
