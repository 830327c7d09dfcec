/** Limits by key: how many tasks that name a key run at a time, or begin per second. */
@NullMarked
package io.kairos.domain.task.limit;

import org.jspecify.annotations.NullMarked;
