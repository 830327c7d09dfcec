/** The clock as a parameter, so that tests can advance it. */
@NullMarked
package io.kairos.client.time;

import org.jspecify.annotations.NullMarked;
