/** What keeps the documentation true: pages whose tables come from the code, checked by tests. */
package io.cellmesh.devstack.docs;
