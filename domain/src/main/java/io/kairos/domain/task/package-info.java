/** Tasks, their attempts and their states: pure values and functions. */
@NullMarked
package io.kairos.domain.task;

import org.jspecify.annotations.NullMarked;
