/** The delay queue without a database and without a broker: models of its ports. */
@NullMarked
package io.kairos.model.delay;

import org.jspecify.annotations.NullMarked;
