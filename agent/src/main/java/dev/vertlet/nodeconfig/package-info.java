/**
 * The configuration that each node runs at present, and the options that features derive from it.
 *
 * <p>{@link dev.vertlet.nodeconfig.ActiveConfigs} has one writer and is read on any thread. {@link
 * dev.vertlet.nodeconfig.FeatureOptions} is pure, but for the methods that say that they read
 * files.
 */
@NullMarked
package dev.vertlet.nodeconfig;

import org.jspecify.annotations.NullMarked;
