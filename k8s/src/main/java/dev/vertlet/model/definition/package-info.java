/**
 * What the start of a pod needs and {@link dev.vertlet.model.pod.PodView} does not keep: ports,
 * security contexts and volume sources, read from the whole object when a provider asks for it.
 */
@NullMarked
package dev.vertlet.model.definition;

import org.jspecify.annotations.NullMarked;
