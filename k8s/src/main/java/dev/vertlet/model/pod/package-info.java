/**
 * View of a pod, {@link dev.vertlet.model.pod.PodView}: its spec with placement, network, security
 * and volumes. Containers and status are in packages of their own.
 */
@NullMarked
package dev.vertlet.model.pod;

import org.jspecify.annotations.NullMarked;
