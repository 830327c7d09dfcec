/** Types of calls about tasks. */
@NullMarked
package io.kairos.client.task;

import org.jspecify.annotations.NullMarked;
