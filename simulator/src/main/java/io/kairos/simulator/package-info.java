/**
 * The simulator: whole clusters of production nodes on a virtual clock, with models for store and
 * broker, faults chosen by a seed, and checkers that know the rules and no particular bug. One
 * fiber runs at a time and everything random comes from the seed, so a failing seed replays exactly
 * (the approach of FoundationDB's simulation testing, Zhou et al., SIGMOD 2021).
 */
@NullMarked
package io.kairos.simulator;

import org.jspecify.annotations.NullMarked;
