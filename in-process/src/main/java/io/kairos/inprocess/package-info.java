/** A node inside an application, on the application's own Postgres. Needs Java 25. */
@NullMarked
package io.kairos.inprocess;

import org.jspecify.annotations.NullMarked;
