package io.kairos.kafka;

/** What a topic is for, which decides what it must be able to do. */
public enum TopicRole {
  INPUT,
  OUTPUT,
  /** Has to take every message that an input topic took, with the reason added. */
  DEAD_LETTER,
  RESULTS
}
