/** The example of billing over a whole stack, its processes killed. */
package io.cellmesh.e2e.billing;
