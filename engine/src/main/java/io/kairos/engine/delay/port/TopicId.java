package io.kairos.engine.delay.port;

import java.util.UUID;

/**
 * Which topic it is, whatever its name: one that is deleted and made anew is another, and its
 * offsets begin anew.
 */
public record TopicId(UUID value) {}
