/**
 * Checkpoints of configurations on disk, with the marks of what is assigned, last known good and
 * being loaded. A crash leaves the previous or the new state. Blocks, so it runs on workers, one
 * call at a time for each node.
 */
@NullMarked
package dev.vertlet.configsync.store;

import org.jspecify.annotations.NullMarked;
