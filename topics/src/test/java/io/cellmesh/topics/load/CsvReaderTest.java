package io.cellmesh.topics.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.topics.load.CsvReader.CsvRecord;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CsvReaderTest {

  @Test
  void aFieldInQuotesHoldsCommasBreaksAndDoubledQuotes() throws IOException {
    assertThat(fields("a,\"b,\"\"c\"\"\r\nd\",e\r\nf,g,h\r\n"))
        .containsExactly(List.of("a", "b,\"c\"\r\nd", "e"), List.of("f", "g", "h"));
  }

  @Test
  void theLastRecordNeedsNoLineBreak() throws IOException {
    assertThat(fields("a,b\n1,")).containsExactly(List.of("a", "b"), List.of("1", ""));
  }

  @Test
  void aByteOrderMarkAndEmptyLinesAreNoData() throws IOException {
    assertThat(fields("\ufeffa\n\n\r\nb\n")).containsExactly(List.of("a"), List.of("b"));
  }

  @Test
  void aRecordKnowsItsFirstLineAndItsText() throws IOException {
    var records = records("a,b\n\"x\ny\",z\nlast,one\n");

    assertThat(records).extracting(CsvRecord::line).containsExactly(1, 2, 4);
    assertThat(records.get(1).text()).isEqualTo("\"x\ny\",z");
  }

  @Test
  void aStrayQuoteIsRefusedWithItsLine() {
    assertThatThrownBy(() -> records("a\nb\"c\n"))
        .isInstanceOf(CsvException.class)
        .hasMessageStartingWith("line 2:");
    assertThatThrownBy(() -> records("a\n\"b\"c\n")).hasMessageContaining("closing quote");
    assertThatThrownBy(() -> records("a\nx,\"b\n\n"))
        .hasMessage("line 2: a quoted field is never closed");
  }

  private static List<List<String>> fields(String text) throws IOException {
    return records(text).stream().map(CsvRecord::fields).toList();
  }

  private static List<CsvRecord> records(String text) throws IOException {
    var records = new ArrayList<CsvRecord>();
    try (var csv = new CsvReader(new StringReader(text))) {
      for (var next = csv.next(); next.isPresent(); next = csv.next()) {
        records.add(next.get());
      }
    }
    return records;
  }
}
