/** The services as REST with JSON, by the http annotations of the protos. */
@NullMarked
package io.kairos.server.edge.rest;

import org.jspecify.annotations.NullMarked;
