/**
 * Test kit for providers. A provider's test extends {@link dev.vertlet.tck.PodProviderTck} or
 * {@link dev.vertlet.tck.ContainerRuntimeTck}; each test method checks one promise of the
 * interface.
 *
 * <p>The kit calls the provider as an agent does: on one event loop, with one call at a time for a
 * pod. Tests wait for effects, never for time to pass.
 */
@NullMarked
package dev.vertlet.tck;

import org.jspecify.annotations.NullMarked;
