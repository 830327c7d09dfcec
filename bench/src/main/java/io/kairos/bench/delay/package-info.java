/**
 * {@code bench delay} and its relatives: load through input topic, node and output topic to an
 * observer.
 */
@NullMarked
package io.kairos.bench.delay;

import org.jspecify.annotations.NullMarked;
