package io.cellmesh.topics.load;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads CSV as RFC 4180 has it: fields in quotes may hold commas, line breaks and doubled quotes. A
 * byte order mark is skipped, a lone line feed ends a record as well as the pair, and empty lines
 * are passed over.
 */
final class CsvReader implements AutoCloseable {
  private static final int END = -1;

  private final BufferedReader in;
  private final StringBuilder raw = new StringBuilder();
  private int line = 1;
  private int peeked;

  CsvReader(Reader in) throws IOException {
    this.in = new BufferedReader(in, 1 << 16);
    this.peeked = this.in.read();
    if (peeked == '\ufeff') {
      peeked = this.in.read();
    }
  }

  /**
   * The next record; empty at the end.
   *
   * @throws CsvException if a quote stands where none may
   */
  Optional<CsvRecord> next() throws IOException {
    skipEmptyLines();
    if (peeked == END) {
      return Optional.empty();
    }
    int firstLine = line;
    raw.setLength(0);
    var fields = new ArrayList<String>();
    do {
      fields.add(peeked == '"' ? quoted() : plain());
    } while (take(','));
    int end = raw.length();
    endOfRecord();
    return Optional.of(new CsvRecord(firstLine, raw.substring(0, end), fields));
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  private void skipEmptyLines() throws IOException {
    while (peeked == '\r' || peeked == '\n') {
      read();
    }
  }

  private String plain() throws IOException {
    var field = new StringBuilder();
    while (peeked != END && peeked != ',' && peeked != '\r' && peeked != '\n') {
      if (peeked == '"') {
        throw new CsvException(line, "a quote inside a field that does not begin with one");
      }
      field.append((char) read());
    }
    return field.toString();
  }

  private String quoted() throws IOException {
    int firstLine = line;
    read();
    var field = new StringBuilder();
    while (true) {
      int c = read();
      if (c == END) {
        throw new CsvException(firstLine, "a quoted field is never closed");
      }
      if (c != '"') {
        field.append((char) c);
      } else if (!take('"')) {
        return field.toString();
      } else {
        field.append('"');
      }
    }
  }

  private void endOfRecord() throws IOException {
    if (peeked == END || take('\n')) {
      return;
    }
    if (!take('\r')) {
      throw new CsvException(line, "something follows the closing quote of a field");
    }
    take('\n');
  }

  private boolean take(char wanted) throws IOException {
    if (peeked != wanted) {
      return false;
    }
    read();
    return true;
  }

  private int read() throws IOException {
    int c = peeked;
    if (c != END) {
      raw.append((char) c);
      line += c == '\n' ? 1 : 0;
      peeked = in.read();
    }
    return c;
  }

  /**
   * One record.
   *
   * @param line where it begins; the first line of the file is 1
   * @param text as it stands in the file, without the line break
   */
  record CsvRecord(int line, String text, List<String> fields) {
    CsvRecord {
      fields = List.copyOf(fields);
    }
  }
}
