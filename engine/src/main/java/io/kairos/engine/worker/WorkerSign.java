package io.kairos.engine.worker;

import org.jspecify.annotations.Nullable;

/**
 * A sign of life of a worker.
 *
 * @param details what it says of itself; null when it has only extended leases
 */
public record WorkerSign(WorkerKey key, @Nullable WorkerDetails details) {}
