/**
 * An embedded Postgres and an embedded Kafka broker: real servers, run as child processes that die
 * with this JVM and keep their data. For trying Kairos out, for its tests, and for measuring it;
 * production runs against external ones. Start at {@link io.kairos.embedded.EmbeddedPostgres} and
 * {@link io.kairos.embedded.EmbeddedKafka}.
 */
@NullMarked
package io.kairos.embedded;

import org.jspecify.annotations.NullMarked;
