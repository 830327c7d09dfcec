/** Kairos inside an application, beside another library of that kind. */
@NullMarked
package io.kairos.bench.inprocess;

import org.jspecify.annotations.NullMarked;
