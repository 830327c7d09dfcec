/** Time as a parameter, so that a test can turn the clock by hand. */
@NullMarked
package io.kairos.client.time;

import org.jspecify.annotations.NullMarked;
