/** Tasks without a database: the model of their store. */
@NullMarked
package io.kairos.model.task;

import org.jspecify.annotations.NullMarked;
