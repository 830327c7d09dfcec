/** Who may call what: the one place through which every call goes. */
@NullMarked
package io.kairos.server.edge.access;

import org.jspecify.annotations.NullMarked;
