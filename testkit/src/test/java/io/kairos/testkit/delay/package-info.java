/** The models pass the contract suites. */
@NullMarked
package io.kairos.testkit.delay;

import org.jspecify.annotations.NullMarked;
