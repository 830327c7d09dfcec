package io.kairos.domain.cron;

/** Clears the state of an entry that is removed. */
@FunctionalInterface
public interface OnRemove {
  void removed(ComponentId component, int position);
}
