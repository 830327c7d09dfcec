/** JUnit extension for tests of applications: a node whose clock the test advances. */
@NullMarked
package io.kairos.junit;

import org.jspecify.annotations.NullMarked;
