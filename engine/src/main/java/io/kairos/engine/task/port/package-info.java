/** Ports of the task engine. */
@NullMarked
package io.kairos.engine.task.port;

import org.jspecify.annotations.NullMarked;
