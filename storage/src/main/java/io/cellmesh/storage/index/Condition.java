package io.cellmesh.storage.index;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A condition on a field other than the shard field.
 *
 * <p>An entry without a value fulfils none of them but {@link Operator#NOT_EQUAL}: what is absent
 * differs from every value.
 *
 * @param values texts as the field's type parses them: two for between (both ends belong to it),
 *     any number but none for in, else one
 */
public record Condition(String field, Operator operator, List<String> values) {
  private static final Pattern TEXT =
      Pattern.compile(
          "\\s*([a-z0-9_]{1,48})\\s*(!=|<=|>=|=|<|>|\\s(?:in|between)\\s)\\s*(.*)",
          Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  public Condition {
    values = List.copyOf(values);
    boolean fits =
        switch (operator) {
          case IN -> !values.isEmpty();
          case BETWEEN -> values.size() == 2;
          default -> values.size() == 1;
        };
    if (!fits) {
      throw new IndexQueryException(
          "%s: \"%s\" does not take %d values".formatted(field, operator.text(), values.size()));
    }
  }

  public Condition(String field, Operator operator, String... values) {
    this(field, operator, List.of(values));
  }

  /**
   * Reads a condition as a person writes it: {@code city_uuid=…}, {@code fare>=12.5}, {@code status
   * in paid,refunded}, {@code trip_created_at between 2016-01-01 00:00:00 and 2016-01-31 23:59:59}.
   *
   * @throws IndexQueryException if it is none
   */
  public static Condition parse(String text) {
    var matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new IndexQueryException(
          "\"%s\" is not a condition such as field=value, field in a,b or field between a and b"
              .formatted(text));
    }
    var operator = Operator.of(matcher.group(2).strip().toLowerCase(Locale.ROOT));
    var value = matcher.group(3);
    var values =
        switch (operator) {
          case IN -> Arrays.stream(value.split(",", -1)).map(String::strip).toList();
          case BETWEEN -> List.of(value.split("(?i)\\s+and\\s+", 2));
          default -> List.of(value);
        };
    return new Condition(matcher.group(1), operator, values);
  }

  /** How a field is compared. */
  public enum Operator {
    EQUAL("="),
    NOT_EQUAL("!="),
    LESS("<"),
    AT_MOST("<="),
    GREATER(">"),
    AT_LEAST(">="),
    IN("in"),
    BETWEEN("between");

    private final String text;

    Operator(String text) {
      this.text = text;
    }

    /** As a person writes it. */
    public String text() {
      return text;
    }

    private static Operator of(String text) {
      return Arrays.stream(values()).filter(o -> o.text.equals(text)).findFirst().orElseThrow();
    }
  }
}
