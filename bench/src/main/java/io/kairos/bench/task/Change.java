package io.kairos.bench.task;

import java.sql.SQLException;

/**
 * What is different in the second of two measurements of the same load on the same rig. Made by the
 * thread of the bench.
 */
interface Change {
  /** In a few words, for the result. */
  String about();

  /** Returns when it is so. */
  void make() throws SQLException, InterruptedException;

  /** Takes it back; false when that cannot be. */
  boolean undo() throws SQLException;
}
