@NullMarked
package io.kairos.postgres.pool;

import org.jspecify.annotations.NullMarked;
