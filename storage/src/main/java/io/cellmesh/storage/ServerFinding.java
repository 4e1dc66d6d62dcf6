package io.cellmesh.storage;

/**
 * Something about a MySQL server that endangers cells.
 *
 * @param variable the server's variable that it is about
 * @param text one sentence: the server, the value, what to set and why
 */
public record ServerFinding(Severity severity, String variable, String text) {

  /** How bad it is. */
  public enum Severity {
    /** Secured cells could be lost, or their order; the sink does not work with such a server. */
    REFUSE,
    /** It works; a person should know. */
    WARN
  }

  public boolean refused() {
    return severity == Severity.REFUSE;
  }

  @Override
  public String toString() {
    return text;
  }
}
