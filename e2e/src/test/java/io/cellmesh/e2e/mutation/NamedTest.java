package io.cellmesh.e2e.mutation;

/** A test method, by the names of its class and itself. */
record NamedTest(String className, String method) {
  /**
   * Reads {@code package.Class#method}.
   *
   * @throws IllegalArgumentException with the value and the rule
   */
  static NamedTest parse(String text) {
    var parts = text.split("#", -1);
    if (parts.length != 2 || parts[0].isBlank() || parts[1].isBlank()) {
      throw new IllegalArgumentException("\"%s\" is not package.Class#method".formatted(text));
    }
    return new NamedTest(parts[0], parts[1]);
  }

  /** The file of its class, below a directory of sources. */
  String file() {
    return className.replace('.', '/') + ".java";
  }

  /** Without the package. */
  String brief() {
    return className.substring(className.lastIndexOf('.') + 1) + "#" + method;
  }

  @Override
  public String toString() {
    return className + "#" + method;
  }
}
