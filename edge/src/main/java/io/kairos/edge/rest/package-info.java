/** The services as REST with JSON, by the http annotations of the protos. */
@NullMarked
package io.kairos.edge.rest;

import org.jspecify.annotations.NullMarked;
