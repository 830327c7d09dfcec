/** Schedules under load: very many of the same fire time, and what they cost while none is due. */
@NullMarked
package io.kairos.bench.schedule;

import org.jspecify.annotations.NullMarked;
