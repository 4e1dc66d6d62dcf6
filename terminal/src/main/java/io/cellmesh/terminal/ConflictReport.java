package io.cellmesh.terminal;

import io.cellmesh.cell.Printable;
import io.cellmesh.operations.conflict.Conflict;
import io.cellmesh.operations.conflict.ConflictDetail;
import io.cellmesh.operations.conflict.ConflictPage;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How conflicts read: for a person, or as a JSON document.
 *
 * @param json whether a machine reads it
 */
public record ConflictReport(Console console, boolean json) {
  private static final int DIGEST = 12;

  /** Prints a page of conflicts, with the cursor of the next one. */
  public void print(ConflictPage page) {
    if (json) {
      console.json(document(page));
      return;
    }
    if (page.conflicts().isEmpty()) {
      console.line("no conflicts");
    } else {
      var table =
          Table.of("conflict", "cell", "kind", "kept", "of", "refused", "of", "decided", "told");
      for (var conflict : page.conflicts()) {
        table.row(
            conflict.identity(),
            conflict.key(),
            conflict.kind(),
            conflict.kept().substring(0, DIGEST),
            conflict.keptOrigin(),
            conflict.refused().substring(0, DIGEST),
            conflict.refusedOrigin(),
            seconds(conflict.decidedAt()),
            conflict.toldAt().map(ConflictReport::seconds).orElse("not yet"));
      }
      console.table(table);
    }
    page.next().ifPresent(next -> console.note("more follow: --after " + next));
  }

  /**
   * Prints all that is known of one conflict.
   *
   * @param bodies whether the refused record's value is shown, too; without, only its size
   */
  public void print(ConflictDetail detail, boolean bodies) {
    if (json) {
      console.json(document(detail, bodies));
      return;
    }
    var conflict = detail.conflict();
    var table = Table.of("", "");
    table.row("conflict", conflict.identity());
    table.row("cell", conflict.key());
    table.row("kind", conflict.kind());
    table.row("kept", "sha256:%s of %s".formatted(conflict.kept(), conflict.keptOrigin()));
    table.row("refused", "sha256:%s of %s".formatted(conflict.refused(), conflict.refusedOrigin()));
    table.row("record", place(conflict));
    table.row("ledger", "of %s in %s".formatted(conflict.cluster(), conflict.datacenter()));
    table.row("decided", conflict.decidedAt());
    table.row("told", conflict.toldAt().map(Instant::toString).orElse("not yet"));
    table.row("refused record", found(detail));
    console.table(table);
    if (bodies) {
      console.heading("kept");
      console.line(detail.kept().map(CellText::pretty).orElse("no such cell any more"));
      console.heading("refused record");
      var value = detail.refused().value();
      console.line(value.map(ConflictReport::text).orElse("its value was not found"));
    }
  }

  private static Map<String, Object> document(ConflictPage page) {
    var document = new LinkedHashMap<String, Object>();
    document.put("conflicts", page.conflicts().stream().map(ConflictReport::document).toList());
    document.put("unread", page.unread());
    page.next().ifPresent(next -> document.put("next", next.toString()));
    return document;
  }

  private static Map<String, Object> document(Conflict conflict) {
    var document = new LinkedHashMap<String, Object>();
    document.put("identity", conflict.identity().toString());
    document.put("kind", conflict.kind());
    document.put("row_key", conflict.key().rowKey().toString());
    document.put("column_name", conflict.key().columnName());
    document.put("ref_key", conflict.key().refKey());
    document.put("kept_digest", conflict.kept());
    document.put("refused_digest", conflict.refused());
    document.put("kept_origin", conflict.keptOrigin());
    document.put("refused_origin", conflict.refusedOrigin());
    document.put("datacenter", conflict.datacenter());
    document.put("cluster", conflict.cluster());
    document.put("topic", conflict.topic());
    document.put("partition", conflict.partition());
    document.put("offset", conflict.offset());
    document.put("decided_at", conflict.decidedAt().toString());
    document.put("told_at", conflict.toldAt().map(Instant::toString).orElse(null));
    return document;
  }

  private static Map<String, Object> document(ConflictDetail detail, boolean bodies) {
    var document = document(detail.conflict());
    var record = new LinkedHashMap<String, Object>();
    record.put("found", detail.refused().where());
    var value = detail.refused().value();
    value.ifPresent(bytes -> record.put("bytes", bytes.length));
    if (bodies) {
      detail.kept().ifPresent(body -> document.put("kept_body", CellText.tree(body)));
      value.ifPresent(
          bytes ->
              decoded(bytes)
                  .ifPresentOrElse(
                      text -> record.put("value", text),
                      () -> record.put("value_base64", Base64.getEncoder().encodeToString(bytes))));
    }
    document.put("refused_record", record);
    return document;
  }

  private static String found(ConflictDetail detail) {
    var refused = detail.refused();
    return refused
        .value()
        .map(bytes -> "%s, %s".formatted(refused.where(), Texts.count(bytes.length, "byte")))
        .orElse(refused.where());
  }

  private static String place(Conflict conflict) {
    return "%s-%d@%d".formatted(conflict.topic(), conflict.partition(), conflict.offset());
  }

  private static String seconds(Instant instant) {
    return instant.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private static String text(byte[] value) {
    return Printable.of(
        decoded(value).orElseGet(() -> "base64: " + Base64.getEncoder().encodeToString(value)));
  }

  /** Empty if it is no text. */
  private static Optional<String> decoded(byte[] value) {
    try {
      return Optional.of(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(value)).toString());
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }
}
