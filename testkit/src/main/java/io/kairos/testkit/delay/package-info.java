/**
 * The delay queue without a database and without a broker: models of its ports, and the contract
 * suites that every adapter must pass together with them.
 */
@NullMarked
package io.kairos.testkit.delay;

import org.jspecify.annotations.NullMarked;
