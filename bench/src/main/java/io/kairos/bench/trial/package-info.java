/** One way to run and judge a load: start, warm up, measure, drain, judge. */
@NullMarked
package io.kairos.bench.trial;

import org.jspecify.annotations.NullMarked;
