/**
 * The rules of the house that are read from class files. Each has specimens in {@code specimen}
 * that break it, and a test that it reports them: a rule that has fallen asleep fails like a rule
 * that is broken.
 */
@NullMarked
package io.kairos.server.architecture;

import org.jspecify.annotations.NullMarked;
