/** The handlers that perform tasks, and the queues on which tasks wait. */
@NullMarked
package io.kairos.domain.task.queue;

import org.jspecify.annotations.NullMarked;
