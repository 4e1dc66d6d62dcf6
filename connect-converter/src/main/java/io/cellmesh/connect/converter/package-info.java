/** Makes cell envelopes of the values that another converter of Connect reads. */
package io.cellmesh.connect.converter;
