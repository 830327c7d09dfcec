/** Tests of applications on Spring Boot that use Kairos. */
@NullMarked
package io.kairos.spring.test;

import org.jspecify.annotations.NullMarked;
