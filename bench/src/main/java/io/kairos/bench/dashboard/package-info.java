/**
 * {@code bench dashboard}: how soon the dashboard's calls are answered and its first screen is
 * shown, and the clients that replay an open Overview beside another load.
 */
@NullMarked
package io.kairos.bench.dashboard;

import org.jspecify.annotations.NullMarked;
