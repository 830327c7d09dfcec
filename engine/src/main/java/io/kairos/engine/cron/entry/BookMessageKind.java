package io.kairos.engine.cron.entry;

/** The numbers of commands and replies on the wire. They never change. */
final class BookMessageKind {
  static final int VERSION = 1;

  static final int PUT_TABLE = 1;
  static final int REMOVE_TABLE = 2;
  static final int PUT_ENTRY = 3;
  static final int REMOVE_ENTRY = 4;
  static final int REMOVE_ALL = 5;
  static final int TO_MODULE = 6;
  static final int TELL_SCHEDULES = 7;

  static final int DONE = 1;
  static final int REMOVED = 2;
  static final int TAKEN = 3;
  static final int NOT_FOUND = 4;
  static final int UNKNOWN_MODULE = 5;
  static final int INVALID = 6;
  static final int FULL = 7;
  static final int FROM_MODULE = 8;

  private BookMessageKind() {}
}
