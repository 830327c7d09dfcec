package io.kairos.domain.cron;

/** Clears what an entry has kept, when it is removed (CC-11). */
@FunctionalInterface
public interface OnRemove {
  void removed(ComponentId component, int position);
}
