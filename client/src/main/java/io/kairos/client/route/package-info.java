/** The delay queue as operators see it: its routes and its dead letters. */
@NullMarked
package io.kairos.client.route;

import org.jspecify.annotations.NullMarked;
