/**
 * Starts and stops the embedded Postgres and Kafka, so that Kairos runs without anything installed.
 */
@NullMarked
package io.kairos.embedded;

import org.jspecify.annotations.NullMarked;
