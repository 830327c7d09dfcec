@NullMarked
package io.kairos.postgres.schedule;

import org.jspecify.annotations.NullMarked;
