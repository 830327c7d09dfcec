package io.kairos.cli.imports;

import java.util.List;

/**
 * A table of another system with jobs that have not ended. It is read by {@link JobPages}, in the
 * order of its key.
 */
public sealed interface OriginTable permits JobRunrJobs, PgBossJobs, RiverJobs {
  /** Why a job that a worker performs is refused. */
  String PERFORMED = "is being performed there: stop the workers there, then import again";

  /**
   * Returns the name of the statement that reads a page. Its parameters are the key of the last row
   * before the page; its columns are {@code key_1} and so on, {@code fields} (a JSON object; null
   * when the row is too long), {@code payload} (null when there is none, or the row is too long),
   * and {@code bytes}, the size of the longer one.
   */
  String statement();

  /** Returns a key before that of the first row. */
  List<String> start();

  /** Returns the name of a row, for messages. */
  String place(List<String> key);

  /**
   * Returns what a row becomes.
   *
   * @throws IllegalArgumentException with the reason why the job cannot be taken over
   */
  JobReading reading(JobRow row);
}
