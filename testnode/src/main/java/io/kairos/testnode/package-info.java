/** A node for users' tests, started by the JUnit extension in a JVM of its own. */
@NullMarked
package io.kairos.testnode;

import org.jspecify.annotations.NullMarked;
