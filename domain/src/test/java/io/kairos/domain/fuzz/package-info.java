@NullMarked
package io.kairos.domain.fuzz;

import org.jspecify.annotations.NullMarked;
