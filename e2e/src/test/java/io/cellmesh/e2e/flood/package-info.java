/** A peer that has much to send, and what becomes of everybody else's cells meanwhile. */
package io.cellmesh.e2e.flood;
