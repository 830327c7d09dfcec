/** Tasks, their attempts and their states: pure values and functions (DA-1 to DA-24). */
@NullMarked
package io.kairos.domain.task;

import org.jspecify.annotations.NullMarked;
