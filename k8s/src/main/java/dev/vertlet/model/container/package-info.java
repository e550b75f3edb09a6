/**
 * Views of one container of a pod's spec: command, environment, mounts, probes, hooks, restart
 * rules and resources. They refer to ConfigMaps and Secrets by {@link
 * dev.vertlet.model.reference.ReferredKind} and keep none of their content.
 */
@NullMarked
package dev.vertlet.model.container;

import org.jspecify.annotations.NullMarked;
