/** Shares of a queue: whose task is handed out next. */
@NullMarked
package io.kairos.domain.task.fairness;

import org.jspecify.annotations.NullMarked;
