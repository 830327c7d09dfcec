/** The Kafka adapter: reads input topics, and publishes messages. */
@NullMarked
package io.kairos.kafka;

import org.jspecify.annotations.NullMarked;
