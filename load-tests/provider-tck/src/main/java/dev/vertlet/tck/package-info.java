/**
 * A test kit for providers. Whoever writes one extends {@link dev.vertlet.tck.PodProviderTck} or
 * {@link dev.vertlet.tck.ContainerRuntimeTck}; each test method holds one promise of the interface.
 *
 * <p>The provider is called as an agent calls it: on one event loop, never twice at a time for one
 * pod. Tests wait for effects and never for time to pass.
 */
@NullMarked
package dev.vertlet.tck;

import org.jspecify.annotations.NullMarked;
