/** Exceptions of failed calls. */
@NullMarked
package io.kairos.client.error;

import org.jspecify.annotations.NullMarked;
