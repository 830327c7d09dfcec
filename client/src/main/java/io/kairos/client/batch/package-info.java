/** Batches: tasks that are counted, waited for and cancelled together. */
@NullMarked
package io.kairos.client.batch;

import org.jspecify.annotations.NullMarked;
