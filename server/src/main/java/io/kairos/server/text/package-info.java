/** Words for people who have misspelt something. */
@NullMarked
package io.kairos.server.text;

import org.jspecify.annotations.NullMarked;
