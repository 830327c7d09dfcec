package io.kairos.engine;

// TODO later
// TODO(#12) this one is somebody's
final class LeftForLater {}
