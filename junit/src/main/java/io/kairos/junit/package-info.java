/** Kairos in the tests of applications: a node whose clock the test turns. */
@NullMarked
package io.kairos.junit;

import org.jspecify.annotations.NullMarked;
