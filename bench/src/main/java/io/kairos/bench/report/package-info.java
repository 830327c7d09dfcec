/** How results are shown: a table, JSON, a plot. */
@NullMarked
package io.kairos.bench.report;

import org.jspecify.annotations.NullMarked;
