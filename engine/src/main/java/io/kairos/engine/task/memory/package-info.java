/** The enqueued tasks in a node's memory: their queues, their bounds, and who gets which task. */
@NullMarked
package io.kairos.engine.task.memory;

import org.jspecify.annotations.NullMarked;
