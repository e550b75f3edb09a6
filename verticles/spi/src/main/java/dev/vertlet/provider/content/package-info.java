/**
 * What containers see, as a provider asks for it: content of volumes, and credentials of
 * registries.
 */
@NullMarked
package dev.vertlet.provider.content;

import org.jspecify.annotations.NullMarked;
