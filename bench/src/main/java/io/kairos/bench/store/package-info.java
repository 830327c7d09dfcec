/** The store alone, without node and broker: what the disk and Postgres can do at most. */
@NullMarked
package io.kairos.bench.store;

import org.jspecify.annotations.NullMarked;
