/** What the task engine needs from outside. */
@NullMarked
package io.kairos.engine.task.port;

import org.jspecify.annotations.NullMarked;
