/** What the demo shows beside starting, loading and verifying. */
package io.cellmesh.stack.demo;
