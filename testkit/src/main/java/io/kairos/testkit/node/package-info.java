/** Nodes on models: which of them are alive, and the contract of the store that says so. */
@NullMarked
package io.kairos.testkit.node;

import org.jspecify.annotations.NullMarked;
