package io.cellmesh.cell.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FieldTypeTest {

  @ParameterizedTest(name = "{0}: {1} is {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "UUID     | \"3F2504E0-4F89-11D3-9A0C-0305E82C3301\" | 3f2504e0-4f89-11d3-9a0c-0305e82c3301",
        "STRING   | \"Café \"                    | 'Café '",
        "STRING   | \"\"                         | ''",
        "INTEGER  | 9223372036854775807          | 9223372036854775807",
        "INTEGER  | -9223372036854775808         | -9223372036854775808",
        "INTEGER  | 1.0                          | 1",
        "INTEGER  | 12e2                         | 1200",
        "INTEGER  | -0                           | 0",
        "DOUBLE   | 0.1                          | 0.1",
        "DOUBLE   | 1                            | 1.0",
        "DOUBLE   | -0.0                         | 0.0",
        "DOUBLE   | -7e-7534                     | 0.0",
        "DOUBLE   | 2e-3                         | 0.002",
        "DOUBLE   | 1e300                        | 1.0E300",
        "DECIMAL  | 12.50                        | 12.5",
        "DECIMAL  | \"12.50\"                    | 12.5",
        "DECIMAL  | 1e3                          | 1000",
        "DECIMAL  | 0.000                        | 0",
        "DECIMAL  | 12345678901234567890.123456789012345678 | 12345678901234567890.123456789012345678",
        "DECIMAL  | 0E2147483647                 | 0",
        "INTEGER  | 0E-2147483647                | 0",
        "DOUBLE   | 1e-2147483647                | 0.0",
        "BOOLEAN  | true                         | true",
        "DATETIME | \"2016-01-12T10:00:00+01:00\" | 2016-01-12T09:00:00.000000Z",
        "DATETIME | \"2016-01-12T10:00:00.5Z\"   | 2016-01-12T10:00:00.500000Z",
        "DATETIME | \"2019-03-23 20:21:09\"      | 2019-03-23T20:21:09.000000Z",
        "DATETIME | \"2019-03-23 20:21:09.123456789\" | 2019-03-23T20:21:09.123456Z",
        "DATETIME | \"2016-01-12T10:00:00-0530\" | 2016-01-12T15:30:00.000000Z",
      })
  void aValueHasOneCanonicalText(FieldType type, String json, String canonical)
      throws MisfitException, JsonProcessingException {
    assertThat(type.canonical("f", json(json))).isEqualTo(canonical);
  }

  @ParameterizedTest(name = "{0}: {1} is refused: {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "UUID     | \"3f2504e0-4f89-11d3-9a0c\" | not a UUID",
        "UUID     | 7                    | must be a text, not a number",
        "STRING   | 7                    | must be a text, not a number",
        "STRING   | {}                   | must be a text, not an object",
        "INTEGER  | 1.5                  | not a whole number",
        "INTEGER  | 9223372036854775808  | beyond a signed 64-bit integer",
        "INTEGER  | 1e999999999          | beyond a signed 64-bit integer",
        "INTEGER  | \"7\"                | must be a number, not a text",
        "DOUBLE   | 1e400                | beyond a double",
        "DECIMAL  | 123456789012345678901 | over 20 digits before the point or 18 after it",
        "DECIMAL  | 0.1234567890123456789 | over 20 digits before the point or 18 after it",
        "DECIMAL  | 1e999999999          | over 20 digits",
        "DECIMAL  | 1e-999999999         | over 20 digits",
        "DECIMAL  | \"a lot\"            | not a number",
        "INTEGER  | 100E2147483647       | beyond a signed 64-bit integer",
        "INTEGER  | 1e-2147483647        | not a whole number",
        "DOUBLE   | 100E2147483647       | beyond a double",
        "DECIMAL  | 100E2147483647       | over 20 digits",
        "DECIMAL  | \"100E2147483647\"   | over 20 digits",
        "DECIMAL  | \"1E-2147483647\"    | over 20 digits",
        "BOOLEAN  | \"true\"             | must be true or false, not a text",
        "BOOLEAN  | 1                    | must be true or false, not a number",
        "DATETIME | \"yesterday\"        | not a time such as",
        "DATETIME | \"2019-02-30 00:00:00\" | not a time such as",
        "DATETIME | \"2019-02-03\"       | not a time such as",
        "DATETIME | \"0999-12-31T23:59:59Z\" | its year is not in 1000..9999",
        "DATETIME | \"+999999999-12-31T23:59:59-18:00\" | its year is not in 1000..9999",
        "DATETIME | \"-999999999-01-01T00:00:00+18:00\" | its year is not in 1000..9999",
        "DATETIME | \"9999-12-31T23:59:59-00:01\" | its year is not in 1000..9999",
        "DATETIME | \"2019-02-03T00:00:00+18:01\" | not a time such as",
        "DATETIME | 1552000000           | must be a text, not a number",
      })
  void whatDoesNotFitIsRefusedWithFieldAndRule(FieldType type, String json, String rule)
      throws JsonProcessingException {
    var value = json(json);
    assertThatThrownBy(() -> type.canonical("f", value))
        .isInstanceOf(MisfitException.class)
        .hasMessageStartingWith("f: " + rule);
  }

  @Test
  void aTextHasALimitInCharactersNotInBytes() throws MisfitException {
    var most = "😀".repeat(FieldValues.MAX_STRING);
    assertThat(FieldType.STRING.parse("f", most)).isEqualTo(most);
    assertThatThrownBy(() -> FieldType.STRING.parse("f", most + "x"))
        .hasMessage("f: over 255 characters");
  }

  @Test
  void nullHasNoText() throws MisfitException, JsonProcessingException {
    for (var type : FieldType.values()) {
      assertThat(type.canonical("f", json("null"))).isNull();
    }
  }

  @Test
  void whatAPersonTypesMeansTheSame() throws MisfitException {
    assertThat(FieldType.INTEGER.parse("f", "7")).isEqualTo("7");
    assertThat(FieldType.DOUBLE.parse("f", "7")).isEqualTo("7.0");
    assertThat(FieldType.DECIMAL.parse("f", "7.10")).isEqualTo("7.1");
    assertThat(FieldType.BOOLEAN.parse("f", "true")).isEqualTo("true");
    assertThatThrownBy(() -> FieldType.BOOLEAN.parse("f", "yes")).hasMessageContaining("true or");
    assertThatThrownBy(() -> FieldType.INTEGER.parse("f", "many")).hasMessage("f: not a number");
  }

  @Test
  void namesInDefinitionsKnowNoCase() {
    assertThat(FieldType.of("uuid")).contains(FieldType.UUID);
    assertThat(FieldType.of("DateTime")).contains(FieldType.DATETIME);
    assertThat(FieldType.of("text")).isEmpty();
  }

  private static JsonNode json(String text) throws JsonProcessingException {
    return ExactJson.MAPPER.readTree(text);
  }
}
