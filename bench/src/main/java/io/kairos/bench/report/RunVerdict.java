package io.kairos.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The verdict on a run. Losses make a run void: its figures mean nothing. Faults make it not clean.
 * Used by one thread.
 */
public final class RunVerdict {
  private static final int NOT_CLEAN = 1;
  private static final int VOID = 3;

  private final List<String> losses = new ArrayList<>();
  private final List<String> faults = new ArrayList<>();

  /** Makes the run void unless this holds. */
  public RunVerdict demand(boolean holds, String otherwise) {
    return note(losses, holds, otherwise);
  }

  /** Makes the run not clean unless this holds. */
  public RunVerdict expect(boolean holds, String otherwise) {
    return note(faults, holds, otherwise);
  }

  private RunVerdict note(List<String> where, boolean holds, String otherwise) {
    if (!holds) {
      where.add(otherwise);
    }
    return this;
  }

  public boolean isVoid() {
    return !losses.isEmpty();
  }

  public boolean isClean() {
    return !isVoid() && faults.isEmpty();
  }

  /** Exit code of the process that ran it: 0 for clean, 1 for not clean, 3 for void. */
  public int exitCode() {
    return isVoid() ? VOID : isClean() ? 0 : NOT_CLEAN;
  }

  /** All problems in words; empty for none. */
  public String problems() {
    return Stream.concat(losses.stream(), faults.stream()).collect(Collectors.joining("; "));
  }

  @Override
  public String toString() {
    return isVoid()
        ? "VOID, so the figures above mean nothing: " + problems()
        : isClean() ? "clean" : "NOT CLEAN: " + problems();
  }
}
