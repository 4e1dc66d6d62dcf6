package io.cellmesh.connect.sink.simulation;

/** What the simulation's servers and real ones do alike: so the model can't drift from MySQL. */
interface StoresContract {
  /** What is done with the stores. */
  interface Case {
    void on(Stores stores) throws Exception;
  }

  /** Does something with stores over fresh tables. */
  void with(Case one) throws Throwable;
}
