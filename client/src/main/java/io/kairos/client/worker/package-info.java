/**
 * Performs tasks. A {@link io.kairos.client.worker.Worker} has two roles: a controller, which
 * leases tasks, extends leases and reports results, and executors, the threads that run handlers.
 */
@NullMarked
package io.kairos.client.worker;

import org.jspecify.annotations.NullMarked;
