/** What each part of a deployment may do on the MySQL servers, and nothing beyond. */
package io.cellmesh.storage.grants;
