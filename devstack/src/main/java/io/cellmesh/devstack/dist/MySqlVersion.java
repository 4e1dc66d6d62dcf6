package io.cellmesh.devstack.dist;

import java.util.Optional;
import java.util.regex.Pattern;

/** What {@code mysqld --version} says. */
record MySqlVersion(int major, int minor, int patch) implements Comparable<MySqlVersion> {

  /** The first that knows every setting by the names used here ({@code log_replica_updates}). */
  static final MySqlVersion OLDEST = new MySqlVersion(8, 0, 26);

  private static final Pattern VERSION =
      Pattern.compile("\\bVer (\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})(\\S*)");

  /** The version of a real MySQL; empty for MariaDB and for what is no version line. */
  static Optional<MySqlVersion> parse(String line) {
    var matcher = VERSION.matcher(line);
    if (!matcher.find() || line.contains("MariaDB")) {
      return Optional.empty();
    }
    return Optional.of(
        new MySqlVersion(
            Integer.parseInt(matcher.group(1)),
            Integer.parseInt(matcher.group(2)),
            Integer.parseInt(matcher.group(3))));
  }

  boolean isUsable() {
    return compareTo(OLDEST) >= 0;
  }

  @Override
  public int compareTo(MySqlVersion other) {
    if (major != other.major) {
      return Integer.compare(major, other.major);
    }
    return minor != other.minor
        ? Integer.compare(minor, other.minor)
        : Integer.compare(patch, other.patch);
  }

  @Override
  public String toString() {
    return major + "." + minor + "." + patch;
  }
}
