/** Reading an instance's topics and offsets. */
package io.cellmesh.topics;
