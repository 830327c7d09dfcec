package io.kairos.engine.task.port;

/** What an operator's word on the head of a key did. */
public enum HeadResult {
  DONE,
  /** A worker performs it. */
  BEING_PERFORMED,
  /** There is no such key, its head does not fail, or it is no longer known. */
  NOT_STUCK
}
