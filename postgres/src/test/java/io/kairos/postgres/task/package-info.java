@NullMarked
package io.kairos.postgres.task;

import org.jspecify.annotations.NullMarked;
