/**
 * Traces of applications and workers: {@link io.kairos.client.opentelemetry.KairosTelemetry}. On
 * the API of OpenTelemetry; the application brings the SDK or the agent.
 */
@NullMarked
package io.kairos.client.opentelemetry;

import org.jspecify.annotations.NullMarked;
