/** What the demo sends, counts and prints. The node that it runs on is wiring's. */
@NullMarked
package io.kairos.server.demo;

import org.jspecify.annotations.NullMarked;
