/** Types of calls about handlers and their queues. */
@NullMarked
package io.kairos.client.queue;

import org.jspecify.annotations.NullMarked;
