/** Tests of what runs Kairos: manifests, packages, what is published. */
@NullMarked
package io.kairos.deploy;

import org.jspecify.annotations.NullMarked;
