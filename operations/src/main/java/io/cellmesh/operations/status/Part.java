package io.cellmesh.operations.status;

/**
 * A server, a connector with its tasks, or an application.
 *
 * @param name what it is
 * @param up whether it does its work
 * @param detail what else is known; why, if it does not
 */
public record Part(String datacenter, String name, String address, boolean up, String detail) {}
