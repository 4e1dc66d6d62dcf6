package io.cellmesh.bench;

/**
 * What one thread has used of the processors.
 *
 * @param name its first 15 characters
 * @param user seconds in its own code
 * @param system seconds in the kernel
 */
public record ThreadUse(String name, double user, double system) {
  public double seconds() {
    return user + system;
  }
}
