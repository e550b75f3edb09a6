/**
 * The current configuration of each node, and the options that features derive from it.
 *
 * <p>{@link dev.vertlet.nodeconfig.ActiveConfigs} has one writer and is read on any thread. {@link
 * dev.vertlet.nodeconfig.FeatureOptions} is pure, except for methods that are documented to read
 * files.
 */
@NullMarked
package dev.vertlet.nodeconfig;

import org.jspecify.annotations.NullMarked;
