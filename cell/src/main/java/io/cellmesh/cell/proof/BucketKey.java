package io.cellmesh.cell.proof;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The key of a bucket in {@code trips.checkpoint}: {@code mesh|dc2|1|42|3}.
 *
 * @param number of the bucket: the origin_ids that it holds, divided by {@link Bucket#SIZE}
 */
public record BucketKey(FoldSource source, OriginShard cells, long number) {
  private static final Pattern TEXT =
      Pattern.compile("([a-z]+)\\|([a-z0-9_]{1,48})\\|(\\d{1,9})\\|(\\d{1,9})\\|(\\d{1,15})");

  /** Prints the key as it stands in the topic. */
  public String text() {
    return "%s|%s|%d|%d|%d"
        .formatted(source.text(), cells.origin(), cells.generation(), cells.shard(), number);
  }

  /** Parses a key; empty if it is another one. */
  public static Optional<BucketKey> parse(String text) {
    var found = TEXT.matcher(text);
    return found.matches()
        ? FoldSource.of(found.group(1))
            .map(
                source ->
                    new BucketKey(
                        source,
                        new OriginShard(
                            found.group(2),
                            Integer.parseInt(found.group(3)),
                            Integer.parseInt(found.group(4))),
                        Long.parseLong(found.group(5))))
        : Optional.empty();
  }
}
