@NullMarked
package io.kairos.postgres.sql;

import org.jspecify.annotations.NullMarked;
