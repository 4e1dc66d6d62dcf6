package io.cellmesh.e2e.index;

import io.cellmesh.e2e.faults.FaultStack;
import io.cellmesh.e2e.faults.Report;
import io.cellmesh.stack.Stack;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.TestMethodOrder;

/** What every build does of {@link IndexIT}, on a stack with the index that others use as well. */
@TestInstance(Lifecycle.PER_CLASS)
@TestMethodOrder(OrderAnnotation.class)
public abstract class IndexSwitching {
  private final FaultStack stack;

  protected IndexSwitching(Stack stack) {
    this.stack = FaultStack.of(stack);
  }

  @AfterAll
  void verifyAndDeleteNoMore() {
    try {
      Report.line("verify: %s", stack.verify());
    } finally {
      stack.close();
    }
  }

  /** First, since the page says what its trips alone come to. */
  @Test
  @Order(1)
  void the_commands_of_the_example_page_do_what_it_says() throws Exception {
    Example.check(stack);
  }

  @Test
  @Order(2)
  void answers_are_whole_before_during_and_after_a_switch_of_versions() throws Exception {
    new IndexLife(stack, IndexFigures.SHORT).switched();
  }
}
