package io.kairos.engine.task.port;

import org.jspecify.annotations.Nullable;

/**
 * Who reports on an attempt or extends it. It counts only from the worker that holds the attempt,
 * and from the caller of the API whose worker claimed it, as far as they are known.
 *
 * @param worker the name of the worker; null if any holder will do
 * @param caller the caller of the API; null for none
 */
public record ReportedBy(@Nullable String worker, @Nullable String caller) {
  /** The node itself, or whoever has a token of the attempt. */
  public static final ReportedBy ANY = new ReportedBy(null, null);

  /** A worker of no caller. */
  public static ReportedBy worker(String name) {
    return new ReportedBy(name, null);
  }

  /**
   * True when this may be the holder.
   *
   * @param holder the worker that holds the attempt; null for none
   * @param performer the caller whose worker claimed it; null when that is not known
   */
  public boolean mayHold(@Nullable String holder, @Nullable String performer) {
    return (worker == null || worker.equals(holder)) && mayPerform(caller, performer);
  }

  /**
   * True when a caller may extend an attempt.
   *
   * @param caller null for none
   * @param performer the caller whose worker claimed it; null when that is not known
   */
  public static boolean mayPerform(@Nullable String caller, @Nullable String performer) {
    return caller == null || performer == null || caller.equals(performer);
  }
}
