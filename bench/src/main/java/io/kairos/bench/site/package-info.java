/**
 * Three places, each with a Postgres server and a broker, which replicate to each other and can be
 * lost and come back one at a time.
 */
@NullMarked
package io.kairos.bench.site;

import org.jspecify.annotations.NullMarked;
