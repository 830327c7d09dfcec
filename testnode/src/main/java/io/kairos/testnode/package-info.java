/** A node for users' tests, which the JUnit extension starts in a separate JVM. */
@NullMarked
package io.kairos.testnode;

import org.jspecify.annotations.NullMarked;
