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
      mustNotBeOff("fsync", fsync);
      mustNotBeOff("full_page_writes", fullPageWrites);
      mustNotBeOff("synchronous_commit", synchronousCommit);
    }
  }

  private static void mustNotBeOff(String setting, String value) {
    if (value.toLowerCase(Locale.ROOT).equals("off")) {
      throw new UnsafeStoreException(
          "the database runs with "
              + setting
              + " = off and could lose messages that it has acknowledged: set "
              + setting
              + " = on, or, where losing messages is acceptable,"
              + " postgres.allow-unsafe-durability = true");
    }
  }
}
