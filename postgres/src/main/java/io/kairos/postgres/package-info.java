/** The store on Postgres: one SQL file per statement, and the migrations. */
@NullMarked
package io.kairos.postgres;

import org.jspecify.annotations.NullMarked;
