/**
 * Who may call a worker, and how the connection is protected: tokens and what they give a right to,
 * certificates, and the files that both stand in.
 */
package io.cellmesh.worker.security;
