/** What the engine needs of a store for batches of tasks. */
@NullMarked
package io.kairos.engine.task.port.batch;

import org.jspecify.annotations.NullMarked;
