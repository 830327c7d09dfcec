/** Presents results: a table, JSON, a plot. */
@NullMarked
package io.kairos.bench.report;

import org.jspecify.annotations.NullMarked;
