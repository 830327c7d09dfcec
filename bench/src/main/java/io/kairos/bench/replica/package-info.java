/** {@code bench replica}: the cost of replicated cron, and its behaviour under faults. */
@NullMarked
package io.kairos.bench.replica;

import org.jspecify.annotations.NullMarked;
