/**
 * Performs tasks. A {@link io.kairos.client.worker.Worker} has ATF's two roles: a controller, which
 * asks nodes for work, keeps it alive and reports results, and executors, the threads that run
 * handlers.
 */
@NullMarked
package io.kairos.client.worker;

import org.jspecify.annotations.NullMarked;
