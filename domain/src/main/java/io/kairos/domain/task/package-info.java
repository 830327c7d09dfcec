/** What a task is and how it changes (Dropbox ATF, DA-1 to DA-24): pure values and functions. */
@NullMarked
package io.kairos.domain.task;

import org.jspecify.annotations.NullMarked;
