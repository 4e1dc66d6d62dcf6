package io.cellmesh.deployment;

/**
 * A deployment that can't be used; the message names the file, the line where known, and the rule.
 */
public final class DeploymentException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public DeploymentException(String message) {
    super(message);
  }

  DeploymentException(String message, Throwable cause) {
    super(message, cause);
  }
}
