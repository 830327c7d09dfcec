package io.kairos.server.architecture.specimen.names;

/** Must break: names say what a class does. */
public final class QueueUtil {}
