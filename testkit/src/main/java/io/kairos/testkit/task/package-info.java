/**
 * Tasks without a database: the model of their store, and the contract suite that every adapter
 * must pass together with it.
 */
@NullMarked
package io.kairos.testkit.task;

import org.jspecify.annotations.NullMarked;
