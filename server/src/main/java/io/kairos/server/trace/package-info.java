/**
 * Traces of a node: spans by the OpenTelemetry SDK, sent as OTLP. Only loaded when a receiver is
 * configured. Reads no payloads.
 */
@NullMarked
package io.kairos.server.trace;

import org.jspecify.annotations.NullMarked;
