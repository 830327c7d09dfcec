/**
 * Tasks that wait for each other: how soon a successor begins, and whether one is lost, early or
 * readied twice.
 */
@NullMarked
package io.kairos.bench.graph;

import org.jspecify.annotations.NullMarked;
