/**
 * What cluster tests stand on: a control plane by {@link dev.vertlet.harness.it.ClusterTest}, pods
 * in a namespace of the test's own, and a record of everything that happened to them. Blocks; for
 * test threads.
 */
@NullMarked
package dev.vertlet.harness.it;

import org.jspecify.annotations.NullMarked;
