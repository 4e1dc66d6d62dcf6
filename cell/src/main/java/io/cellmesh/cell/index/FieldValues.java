package io.cellmesh.cell.index;

import com.fasterxml.jackson.core.io.NumberOutput;
import io.cellmesh.cell.Envelope;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.chrono.IsoChronology;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** The canonical text of each {@link FieldType}. */
final class FieldValues {
  /** Most characters (code points): a key column of MySQL holds them four bytes wide. */
  static final int MAX_STRING = 255;

  /** A decimal's most digits before the point. */
  static final int WHOLE_DIGITS = 20;

  /** A decimal's most digits after the point. */
  static final int SCALE = 18;

  private static final int LONG_DIGITS = 19;
  private static final int LONGEST_NUMBER = 1000;
  private static final String UUID_SHAPE = "00000000-0000-0000-0000-000000000000";
  private static final DateTimeFormatter ISO =
      new DateTimeFormatterBuilder()
          .parseCaseInsensitive()
          .append(DateTimeFormatter.ISO_LOCAL_DATE_TIME)
          .optionalStart()
          .appendOffset("+HH:MM", "Z")
          .optionalEnd()
          .optionalStart()
          .appendOffset("+HHmm", "Z")
          .optionalEnd()
          .toFormatter(Locale.ROOT)
          .withChronology(IsoChronology.INSTANCE)
          .withResolverStyle(ResolverStyle.STRICT);

  /** The year 1000, MySQL's first. */
  private static final Instant FIRST = Instant.parse("1000-01-01T00:00:00Z");

  /** After the year 9999, MySQL's last. */
  private static final Instant END = Instant.parse("+10000-01-01T00:00:00Z");

  /** No field holds a number beyond it, however many zeros its digits end with. */
  private static final int FARTHEST_SCALE = 2 * LONGEST_NUMBER;

  private FieldValues() {}

  static String uuid(String field, String text) throws MisfitException {
    var lower = text.toLowerCase(Locale.ROOT);
    if (!isUuid(lower)) {
      throw new MisfitException(field, "not a UUID in its 36 characters");
    }
    return lower;
  }

  /** By hand: a regular expression would be a tenth of an index's work. */
  private static boolean isUuid(String text) {
    if (text.length() != UUID_SHAPE.length()) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean digit = c >= '0' && c <= '9' || c >= 'a' && c <= 'f';
      if (UUID_SHAPE.charAt(i) == '-' ? c != '-' : !digit) {
        return false;
      }
    }
    return true;
  }

  static String string(String field, String text) throws MisfitException {
    if (text.codePointCount(0, text.length()) > MAX_STRING) {
      throw new MisfitException(field, "over " + MAX_STRING + " characters");
    }
    return text;
  }

  static String integer(String field, BigDecimal value) throws MisfitException {
    var plain = stripped(value);
    if (plain.scale() > 0) {
      throw new MisfitException(field, "not a whole number");
    }
    if (wholeDigits(plain) <= LONG_DIGITS) {
      var whole = plain.toBigInteger();
      if (whole.bitLength() < Long.SIZE) {
        return whole.toString();
      }
    }
    throw new MisfitException(field, "beyond a signed 64-bit integer");
  }

  /**
   * The JDK's own digits differ between its versions, Jackson's don't. What rounds to a zero from
   * below is zero, which has one text.
   */
  static String binary(String field, BigDecimal value) throws MisfitException {
    double nearest = value.doubleValue() + 0.0;
    if (Double.isInfinite(nearest)) {
      throw new MisfitException(field, "beyond a double");
    }
    return NumberOutput.toString(nearest, true);
  }

  static String decimal(String field, BigDecimal value) throws MisfitException {
    var plain = stripped(value);
    if (plain.scale() > SCALE || wholeDigits(plain) > WHOLE_DIGITS) {
      throw new MisfitException(
          field, "over " + WHOLE_DIGITS + " digits before the point or " + SCALE + " after it");
    }
    return plain.signum() == 0 ? "0" : plain.toPlainString();
  }

  static BigDecimal parse(String field, String text) throws MisfitException {
    try {
      if (text.length() <= LONGEST_NUMBER) {
        return new BigDecimal(text);
      }
    } catch (NumberFormatException e) {
      // Said below, without the value.
    }
    throw new MisfitException(field, "not a number");
  }

  static String datetime(String field, String text) throws MisfitException {
    var plain = PlainUtc.canonical(text);
    return plain == null ? formatted(field, text) : plain;
  }

  /** Any spelling. */
  static String formatted(String field, String text) throws MisfitException {
    boolean blank = text.length() > 10 && text.charAt(10) == ' ';
    Instant instant;
    try {
      var iso = blank ? text.substring(0, 10) + 'T' + text.substring(11) : text;
      var parsed = ISO.parse(iso);
      var offset =
          parsed.isSupported(ChronoField.OFFSET_SECONDS)
              ? ZoneOffset.ofTotalSeconds(parsed.get(ChronoField.OFFSET_SECONDS))
              : ZoneOffset.UTC;
      instant = LocalDateTime.from(parsed).toInstant(offset).truncatedTo(ChronoUnit.MICROS);
    } catch (DateTimeException e) {
      throw new MisfitException(
          field, "not a time such as 2016-01-12T10:00:00+01:00 or 2016-01-12 09:00:00");
    }
    if (instant.isBefore(FIRST) || !instant.isBefore(END)) {
      throw new MisfitException(field, "its year is not in 1000..9999");
    }
    return Envelope.timestamp(instant);
  }

  /** Without the zeros at its end, unless it is too far from 1 for them to matter. */
  private static BigDecimal stripped(BigDecimal value) {
    if (value.signum() == 0) {
      return BigDecimal.ZERO;
    }
    return Math.abs((long) value.scale()) > FARTHEST_SCALE ? value : value.stripTrailingZeros();
  }

  private static long wholeDigits(BigDecimal value) {
    return value.signum() == 0 ? 0 : (long) value.precision() - value.scale();
  }
}
