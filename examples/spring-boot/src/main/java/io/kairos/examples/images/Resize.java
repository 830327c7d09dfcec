package io.kairos.examples.images;

/** The payload of a task. */
public record Resize(String image, int width) {}
