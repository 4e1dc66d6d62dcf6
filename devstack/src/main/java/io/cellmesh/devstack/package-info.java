/**
 * Real MySQL servers, Kafka brokers and Connect workers as child processes on loopback: what the
 * demo shows and what the tests run against.
 *
 * <p>{@link io.cellmesh.devstack.DevStack} starts a whole stack or parts of it. Each {@link
 * io.cellmesh.devstack.Child} can be stopped, killed, frozen and started again on the same port and
 * the same data; {@link io.cellmesh.devstack.Guardian} sees to it that none outlives its launcher.
 */
package io.cellmesh.devstack;
