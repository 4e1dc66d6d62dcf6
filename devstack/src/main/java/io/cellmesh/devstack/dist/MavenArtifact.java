package io.cellmesh.devstack.dist;

/**
 * The coordinates of a file in a Maven repository.
 *
 * @param classifier empty for the main file
 */
record MavenArtifact(
    String group, String name, String version, String classifier, String extension) {

  static MavenArtifact jar(String group, String name, String version) {
    return new MavenArtifact(group, name, version, "", "jar");
  }

  String fileName() {
    var suffix = classifier.isEmpty() ? "" : "-" + classifier;
    return "%s-%s%s.%s".formatted(name, version, suffix, extension);
  }

  /** Where it lies, below the repository's root. */
  String path() {
    return "%s/%s/%s/%s".formatted(group.replace('.', '/'), name, version, fileName());
  }
}
