package io.cellmesh.devstack.dist;

/** The coordinates of a file in a Maven repository. */
record MavenArtifact(
    String group, String name, String version, String classifier, String extension) {

  String fileName() {
    return "%s-%s-%s.%s".formatted(name, version, classifier, extension);
  }

  /** Where it lies, below the repository's root. */
  String path() {
    return "%s/%s/%s/%s".formatted(group.replace('.', '/'), name, version, fileName());
  }
}
