/**
 * The suites that every adapter passes: one for each port, run by the models and by Postgres, Kafka
 * and Ratis.
 */
@NullMarked
package io.kairos.contracts;

import org.jspecify.annotations.NullMarked;
