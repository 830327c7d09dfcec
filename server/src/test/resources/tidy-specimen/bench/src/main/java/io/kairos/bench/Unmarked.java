package io.kairos.bench;

final class Unmarked {}
