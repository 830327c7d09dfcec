/**
 * {@code bench push}: tasks that are pushed to a pool, from the schedule call to the acknowledged
 * end; and HTTP workers that fault runs kill.
 */
@NullMarked
package io.kairos.bench.push;

import org.jspecify.annotations.NullMarked;
