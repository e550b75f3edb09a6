/**
 * Routes of the nodes' API, and what answers them: {@link dev.vertlet.api.route.RouteTable} maps
 * paths to handlers, {@link dev.vertlet.api.route.ServedNodes} finds the pod's shard.
 */
@NullMarked
package dev.vertlet.api.route;

import org.jspecify.annotations.NullMarked;
