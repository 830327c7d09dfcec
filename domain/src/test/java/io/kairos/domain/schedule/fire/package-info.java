@NullMarked
package io.kairos.domain.schedule.fire;

import org.jspecify.annotations.NullMarked;
