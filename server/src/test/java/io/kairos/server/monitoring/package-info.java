/**
 * Tests of the dashboard and the alert rules in {@code deploy}, and what other tests need of
 * Prometheus.
 */
@NullMarked
package io.kairos.server.monitoring;

import org.jspecify.annotations.NullMarked;
