/** The model of the store of pools. */
@NullMarked
package io.kairos.model.pool;

import org.jspecify.annotations.NullMarked;
