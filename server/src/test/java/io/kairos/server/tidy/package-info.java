/**
 * The rules of the house that are read from its files. Each has files in {@code
 * src/test/resources/tidy-specimen} that break it: the tree there is a small repository of its own,
 * which the rules skip when they look at the house.
 */
@NullMarked
package io.kairos.server.tidy;

import org.jspecify.annotations.NullMarked;
