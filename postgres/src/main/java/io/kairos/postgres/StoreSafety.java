package io.kairos.postgres;

import java.util.Locale;

/**
 * The settings of the database on which durability depends, as {@code session.sql} reads them on
 * every new connection. A commit must be durable before Kairos acknowledges it.
 */
record StoreSafety(
    String fsync, String fullPageWrites, String synchronousCommit, String serverEncoding) {
  /**
   * Checks the settings.
   *
   * @throws UnsafeStoreException when the database is not fit to be the store
   */
  void check(boolean allowUnsafeDurability) {
    if (!serverEncoding.equalsIgnoreCase("UTF8")) {
      throw new UnsafeStoreException(
          "the database's encoding is "
              + serverEncoding
              + ", which cannot hold every message id: create it with encoding UTF8");
    }
    if (!allowUnsafeDurability) {
      mustNotBe("off", "fsync", fsync);
      mustNotBe("off", "full_page_writes", fullPageWrites);
      mustNotBe("off", "synchronous_commit", synchronousCommit);
      mustNotBe("local", "synchronous_commit", synchronousCommit); // waits for no standby
    }
  }

  private static void mustNotBe(String refused, String setting, String value) {
    if (value.toLowerCase(Locale.ROOT).equals(refused)) {
      throw new UnsafeStoreException(
          "the database runs with "
              + setting
              + " = "
              + refused
              + " and could lose messages that it has acknowledged: set "
              + setting
              + " = on, or, where losing messages is acceptable,"
              + " postgres.allow-unsafe-durability = true (inside an application:"
              + " allowUnsafeDurability())");
    }
  }
}
