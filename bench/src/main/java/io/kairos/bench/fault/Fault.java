package io.kairos.bench.fault;

import java.sql.SQLException;

/** Something that can go wrong, made to happen. */
interface Fault {
  String name();

  /** One line for those who choose. */
  String about();

  Verdict happen(FaultContext context) throws SQLException, InterruptedException;
}
