/**
 * Tasks that take seconds and have an effect again and again: whether two executions of a task
 * overlapped is judged by these effects.
 */
@NullMarked
package io.kairos.bench.effect;

import org.jspecify.annotations.NullMarked;
