package io.kairos.kafka;

/** The purpose of a topic, which decides its requirements. */
public enum TopicRole {
  INPUT,
  OUTPUT,
  /** Must accept every message of an input topic, with the reason added. */
  DEAD_LETTER,
  RESULTS
}
