/**
 * The simulator: whole clusters of production nodes on a virtual clock, with models of store and
 * broker, faults drawn from a seed, and checkers that know only the rules. One fiber runs at a time
 * and every random decision comes from the seed, so a failing seed replays exactly (the approach of
 * FoundationDB's simulation testing, Zhou et al., SIGMOD 2021).
 */
@NullMarked
package io.kairos.simulator;

import org.jspecify.annotations.NullMarked;
