/** What tests of the dashboard's pages need of a browser. */
@NullMarked
package io.kairos.server.browser;

import org.jspecify.annotations.NullMarked;
