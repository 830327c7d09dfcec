/** The model of the store that says which nodes are alive. */
@NullMarked
package io.kairos.model.node;

import org.jspecify.annotations.NullMarked;
