/** An application on Spring Boot that resizes images later, and counts them every night. */
@NullMarked
package io.kairos.examples.images;

import org.jspecify.annotations.NullMarked;
