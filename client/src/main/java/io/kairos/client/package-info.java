/**
 * The client of applications, {@link io.kairos.client.KairosClient}. Workers are in {@code
 * io.kairos.client.worker}.
 */
@NullMarked
package io.kairos.client;

import org.jspecify.annotations.NullMarked;
