/** Calls and data for operators of handlers, queues, keys and tasks. */
@NullMarked
package io.kairos.engine.task.port.operator;

import org.jspecify.annotations.NullMarked;
