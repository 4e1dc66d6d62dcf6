package io.cellmesh.e2e.index;

import io.cellmesh.e2e.faults.FaultStack;
import io.cellmesh.e2e.faults.Figures;
import io.cellmesh.e2e.faults.Report;
import io.cellmesh.e2e.faults.StackScenarios;
import io.cellmesh.operations.IndexFile;
import io.cellmesh.stack.StackOptions;
import io.cellmesh.stack.StateDirectory;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Indexes are right whatever happens, and are rebuilt without anyone noticing (invariant 7). What
 * every build does of it, {@link IndexSwitching} does on the stack of {@code OneDataCentreIT}.
 */
@Tag("full")
class IndexIT extends StackScenarios {
  private static final IndexFigures FIGURES = IndexFigures.ofThisRun();

  @Override
  protected FaultStack start() throws Exception {
    Report.line("%s", FIGURES);
    var options =
        new StackOptions(Optional.empty(), 1, 16, 8, List.of(definition()))
            .withWorkers(Figures.isFull() ? 2 : 1);
    return FaultStack.start(options, state);
  }

  @Test
  @Order(0)
  void the_commands_of_the_example_page_do_what_it_says() throws Exception {
    Example.check(stack);
  }

  @Test
  @Order(1)
  void answers_are_whole_before_during_and_after_a_switch_of_versions() throws Exception {
    new IndexLife(stack, FIGURES).switched();
  }

  @Test
  @Order(2)
  void indexes_can_be_built_of_the_tables_and_dropped_one_after_the_other() throws Exception {
    new IndexLife(stack, FIGURES).builtOfTheTables();
  }

  @Test
  @Order(3)
  void processes_that_die_leave_nothing_out() throws Exception {
    new IndexFaults(stack, FIGURES).killed();
  }

  static IndexFile definition() throws Exception {
    return IndexFile.read(file("driver_partner_index.yaml"));
  }

  static Path file(String name) {
    return StateDirectory.home().resolve("connectors").resolve("indexes").resolve(name);
  }
}
