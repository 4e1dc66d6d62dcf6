/** One client of Connect's REST interface, and the templates of the connectors that it posts. */
package io.cellmesh.connect.client;
