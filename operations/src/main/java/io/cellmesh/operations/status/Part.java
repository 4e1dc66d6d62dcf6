package io.cellmesh.operations.status;

/**
 * A server, a connector with its tasks, or an application.
 *
 * @param name what it is
 * @param up whether it does its work; also if that can't be seen from here and need not be
 * @param detail what else is known; why, if it does not
 */
public record Part(String datacenter, String name, String address, boolean up, String detail) {

  /**
   * One of a data centre that hides its brokers.
   *
   * @param why it can't be seen from here
   */
  static Part unseen(String datacenter, String name, String address, String why) {
    return new Part(datacenter, name, address, true, "can't be seen from here: " + why);
  }
}
