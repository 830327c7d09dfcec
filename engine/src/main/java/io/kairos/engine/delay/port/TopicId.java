package io.kairos.engine.delay.port;

import java.util.UUID;

/**
 * Identity of a topic, independent of its name: a deleted and recreated topic has another id, and
 * its offsets begin anew.
 */
public record TopicId(UUID value) {}
