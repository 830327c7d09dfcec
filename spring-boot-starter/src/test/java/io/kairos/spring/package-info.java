/** Tests of the starter, which run on Spring Boot 3 and 4. */
@NullMarked
package io.kairos.spring;

import org.jspecify.annotations.NullMarked;
