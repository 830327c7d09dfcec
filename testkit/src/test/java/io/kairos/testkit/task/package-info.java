/** The model passes the contract suite. */
@NullMarked
package io.kairos.testkit.task;

import org.jspecify.annotations.NullMarked;
