/** Batches: tasks of one handler that are counted, waited for and cancelled together. */
@NullMarked
package io.kairos.domain.task.batch;

import org.jspecify.annotations.NullMarked;
