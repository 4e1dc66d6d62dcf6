package io.cellmesh.cli.commands;

import io.cellmesh.operations.OperationException;
import io.cellmesh.terminal.CellText;
import io.cellmesh.topics.trigger.Start;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.regex.Pattern;

/** Places in a topic as a person types them. */
final class StartText {
  private static final Pattern OFFSETS = Pattern.compile("\\d{1,18}(,\\d{1,18})*");

  private StartText() {}

  /**
   * Reads a place.
   *
   * @param option that it was given with
   * @param first the word for the first record
   * @throws OperationException if it is none
   */
  static Start parse(String option, String first, String text) {
    if (text.equals(first)) {
      return new Start.Beginning();
    }
    if (text.equals("now")) {
      return new Start.Now();
    }
    if (OFFSETS.matcher(text).matches()) {
      return new Start.Offsets(Arrays.stream(text.split(",")).map(Long::valueOf).toList());
    }
    try {
      return new Start.Time(OffsetDateTime.parse(text).toInstant());
    } catch (DateTimeException e) {
      throw OperationException.invalid(
          "%s = \"%s\": must be %s, a time such as 2026-01-31T12:00:00Z, or offsets such as 120,98"
              .formatted(option, CellText.shorten(text, 80), first));
    }
  }
}
