package io.cellmesh.topics;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.common.header.Headers;

/** Headers that hold a text. */
public final class HeaderText {
  /** What Connect puts into its dead letters with {@code context.headers.enable}. */
  public static final String CONNECT_TOPIC = "__connect.errors.topic";

  public static final String CONNECT_PARTITION = "__connect.errors.partition";
  public static final String CONNECT_OFFSET = "__connect.errors.offset";
  public static final String CONNECT_MESSAGE = "__connect.errors.exception.message";

  private HeaderText() {}

  /** The last header of that name; empty without it. */
  public static Optional<String> of(Headers headers, String name) {
    return Optional.ofNullable(headers.lastHeader(name))
        .flatMap(header -> Optional.ofNullable(header.value()))
        .map(value -> new String(value, StandardCharsets.UTF_8));
  }
}
