package io.kairos.engine.task.port.operator;

/** The result of an operator's command on the head of an ordering key. */
public enum HeadResult {
  DONE,
  /** A worker performs the head. */
  BEING_PERFORMED,
  /** The key has another head than the one that was meant. */
  OTHER_HEAD,
  /** The key does not exist, its head does not fail, or the head is no longer stored. */
  NOT_STUCK
}
