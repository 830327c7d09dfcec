package io.kairos.hashgraph;

import io.kairos.engine.replica.StateMachine;

/** A machine whose executions and states can be compared. */
interface JudgedMachine extends StateMachine {
  /** Number of requests that this object has executed. */
  long executions();

  /** A hash over the state. */
  long state();
}
