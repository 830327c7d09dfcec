package io.kairos.domain.schedule;

/** What becomes of a time that the wall clock shows twice when it is put back. */
public enum Overlap {
  /** It fires the first time only. */
  FIRST,
  /** It fires both times. */
  BOTH
}
