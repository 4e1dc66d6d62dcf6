package io.cellmesh.cell.yaml;

/** A YAML text that can't be used; the message names the line where known, and the rule. */
public final class YamlException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public YamlException(String message) {
    super(message);
  }

  YamlException at(int line) {
    return new YamlException("line " + line + ": " + getMessage());
  }
}
