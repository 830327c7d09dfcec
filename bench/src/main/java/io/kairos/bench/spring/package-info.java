/** {@code bench spring}: handlers of the Spring Boot starter beside those of the client alone. */
@NullMarked
package io.kairos.bench.spring;

import org.jspecify.annotations.NullMarked;
