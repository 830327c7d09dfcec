package io.kairos.postgres;

final class SqlInAString {
  // "delete from comments" is not code
  static final String FOR_PEOPLE = "Select a topic, then update the offset and set the clock.";
  static final String FILE = "used.sql";
  static final String STATEMENT = "delete " + "from delayed_message";
}
