package io.cellmesh.bench;

/** What was asked for can't be measured; the message names the option and the rule. */
public final class InvalidPlanException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  InvalidPlanException(String message) {
    super(message);
  }

  /**
   * @throws InvalidPlanException saying the rule, if it is broken
   */
  static void check(boolean kept, String rule) {
    if (!kept) {
      throw new InvalidPlanException(rule);
    }
  }
}
