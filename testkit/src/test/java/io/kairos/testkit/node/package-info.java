/** Production nodes on models and a clock that the test turns: one behaviour at a time. */
@NullMarked
package io.kairos.testkit.node;

import org.jspecify.annotations.NullMarked;
