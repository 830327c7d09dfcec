/** What a stored schedule is, and the decision that is made of each of its fire times. */
@NullMarked
package io.kairos.domain.schedule.fire;

import org.jspecify.annotations.NullMarked;
