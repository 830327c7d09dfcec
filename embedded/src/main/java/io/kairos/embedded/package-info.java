/**
 * An embedded Postgres and an embedded Kafka broker: real servers in child processes that die with
 * this JVM and keep their data. For trials, tests and benchmarks; production uses external servers.
 * {@link io.kairos.embedded.EmbeddedPostgres} and {@link io.kairos.embedded.EmbeddedKafka} start
 * them.
 */
@NullMarked
package io.kairos.embedded;

import org.jspecify.annotations.NullMarked;
