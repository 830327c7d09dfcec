/** Tests of the application. */
@NullMarked
package io.kairos.examples.images;

import org.jspecify.annotations.NullMarked;
