/** The dashboard: its pages, and logging in and out. */
@NullMarked
package io.kairos.edge.ui;

import org.jspecify.annotations.NullMarked;
