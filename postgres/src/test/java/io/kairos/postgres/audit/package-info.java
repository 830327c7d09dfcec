@NullMarked
package io.kairos.postgres.audit;

import org.jspecify.annotations.NullMarked;
