/** An application and its test. */
@NullMarked
package io.kairos.spring.test;

import org.jspecify.annotations.NullMarked;
