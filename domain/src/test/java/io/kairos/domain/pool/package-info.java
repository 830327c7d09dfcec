@NullMarked
package io.kairos.domain.pool;

import org.jspecify.annotations.NullMarked;
