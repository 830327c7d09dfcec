/** Tests of nodes inside an application. */
@NullMarked
package io.kairos.inprocess;

import org.jspecify.annotations.NullMarked;
