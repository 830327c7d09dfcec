/** Conversions of instants to the form that the store keeps. */
@NullMarked
package io.kairos.domain.time;

import org.jspecify.annotations.NullMarked;
