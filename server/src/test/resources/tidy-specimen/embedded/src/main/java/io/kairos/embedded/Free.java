package io.kairos.embedded;

final class Free {
  static final String STATEMENT = "select 1 from pg_database where datname = 'kairos'";
}
