/** Sessions of the dashboard: their cookies, the key that seals them, and what a page may ask. */
@NullMarked
package io.kairos.edge.session;

import org.jspecify.annotations.NullMarked;
