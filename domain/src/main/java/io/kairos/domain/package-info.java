/** What Kairos is about and how it changes: pure code without I/O, clocks, threads or libraries. */
@NullMarked
package io.kairos.domain;

import org.jspecify.annotations.NullMarked;
