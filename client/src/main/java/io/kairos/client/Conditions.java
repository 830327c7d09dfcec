package io.kairos.client;

import io.kairos.client.error.InvalidRequestException;

/** Conditions of queries, whose fields mean all when they are empty. */
final class Conditions {
  private Conditions() {}

  /** Returns a text that is not empty: who asks for nothing in particular must not get all. */
  static String text(String field, String text) {
    if (text.isEmpty()) {
      throw new InvalidRequestException(
          field, "must not be empty: leave the condition out to select all");
    }
    return text;
  }
}
