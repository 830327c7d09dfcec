package io.kairos.edge.refusal;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Translates between an enum of the domain and the enum of the API with equal constants. The
 * constructor pairs the constants by name and throws for a constant without a partner.
 */
public final class WireEnum<D extends Enum<D>, W extends Enum<W>> {
  private static final String UNSPECIFIED = "_UNSPECIFIED";
  private static final String UNRECOGNIZED = "UNRECOGNIZED";

  private final Map<D, W> wires;
  private final Map<W, D> ours;

  public WireEnum(Class<D> own, Class<W> wire) {
    wires = new EnumMap<>(own);
    ours = new EnumMap<>(wire);
    for (D one : EnumSet.allOf(own)) {
      W partner = Enum.valueOf(wire, one.name());
      wires.put(one, partner);
      ours.put(partner, one);
    }
    for (W one : EnumSet.allOf(wire)) {
      boolean isNothing = one.name().endsWith(UNSPECIFIED) || one.name().equals(UNRECOGNIZED);
      if (!isNothing && !ours.containsKey(one)) {
        throw new IllegalStateException(one + " of the API is no " + own.getSimpleName());
      }
    }
  }

  public W write(D one) {
    return requireNonNull(wires.get(one));
  }

  /** Null for an unspecified constant and for one that this version does not know. */
  public @Nullable D find(W given) {
    return ours.get(given);
  }

  /** Null for an unspecified constant; one that this version does not know is refused. */
  public @Nullable D read(String field, W given) {
    InvalidField.require(!given.name().equals(UNRECOGNIZED), field, rule());
    return ours.get(given);
  }

  public D read(String field, W given, D otherwise) {
    return requireNonNullElse(read(field, given), otherwise);
  }

  /**
   * Reads a repeated field.
   *
   * @param rule for the refusal of an element that is none of the constants
   */
  public Set<D> readAll(String field, List<W> given, String rule) {
    EnumSet<D> all = EnumSet.noneOf(wires.keySet().iterator().next().getDeclaringClass());
    for (int i = 0; i < given.size(); i++) {
      D one = ours.get(given.get(i));
      if (one == null) {
        throw new InvalidField(field + "[" + i + "]", rule);
      }
      all.add(one);
    }
    return all;
  }

  private String rule() {
    List<String> names = ours.keySet().stream().map(Enum::name).toList();
    return "must be "
        + String.join(", ", names.subList(0, names.size() - 1))
        + " or "
        + names.getLast();
  }
}
