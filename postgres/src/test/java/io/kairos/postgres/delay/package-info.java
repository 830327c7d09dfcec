@NullMarked
package io.kairos.postgres.delay;

import org.jspecify.annotations.NullMarked;
