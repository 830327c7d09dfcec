package io.kairos.client.route;

/**
 * Selects dead letters of a route to list, the latest first. What is empty is not asked for.
 *
 * @param reason only letters with this reason, such as {@code malformed-id}
 * @param fingerprint only letters with this fingerprint
 * @param valueBytes how much of each value to show, from its begin: 0 to 4,096 bytes
 * @param limit maximum number of letters
 */
public record DeadLetterQuery(
    String route, String reason, String fingerprint, int valueBytes, int limit) {
  /** Returns a query for the latest hundred dead letters of a route, without values. */
  public static DeadLetterQuery of(String route) {
    return new DeadLetterQuery(route, "", "", 0, 100);
  }

  public DeadLetterQuery reason(String word) {
    return new DeadLetterQuery(route, word, fingerprint, valueBytes, limit);
  }

  public DeadLetterQuery fingerprint(String digits) {
    return new DeadLetterQuery(route, reason, digits, valueBytes, limit);
  }

  public DeadLetterQuery valueBytes(int most) {
    return new DeadLetterQuery(route, reason, fingerprint, most, limit);
  }

  public DeadLetterQuery limit(int most) {
    return new DeadLetterQuery(route, reason, fingerprint, valueBytes, most);
  }
}
