/** {@code bench tasks}: tasks over gRPC, from the schedule call to the acknowledged result. */
@NullMarked
package io.kairos.bench.task;

import org.jspecify.annotations.NullMarked;
