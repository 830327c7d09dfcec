/** From SQL files to statements: named parameters, arrays in binary, one place for failures. */
@NullMarked
package io.kairos.postgres.sql;

import org.jspecify.annotations.NullMarked;
