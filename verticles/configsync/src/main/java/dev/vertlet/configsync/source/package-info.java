/**
 * Declared sources of a configuration: how a Node names a ConfigMap in its spec or annotation, and
 * the rules that a source obeys. Pure.
 */
@NullMarked
package dev.vertlet.configsync.source;

import org.jspecify.annotations.NullMarked;
