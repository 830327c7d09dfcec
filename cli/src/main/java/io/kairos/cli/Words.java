package io.kairos.cli;

import java.util.Locale;

/** Names of states and outcomes as people read them. */
final class Words {
  private Words() {}

  static String of(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
