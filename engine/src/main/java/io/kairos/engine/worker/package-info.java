/**
 * The workers that ask nodes for work: what is known of them, and a drain for one that is to end.
 */
@NullMarked
package io.kairos.engine.worker;

import org.jspecify.annotations.NullMarked;
