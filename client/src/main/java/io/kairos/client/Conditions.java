package io.kairos.client;

import io.kairos.client.error.InvalidRequestException;

/** Texts of queries and changes whose fields mean all when they are empty. */
final class Conditions {
  private Conditions() {}

  /** Returns a text that is not empty: who asks for nothing in particular must not get all. */
  static String text(String field, String text) {
    return text(field, text, "must not be empty: leave the condition out to select all");
  }

  /** Returns a text that is not empty, or throws an exception with this rule. */
  static String text(String field, String text, String rule) {
    if (text.isEmpty()) {
      throw new InvalidRequestException(field, rule);
    }
    return text;
  }
}
