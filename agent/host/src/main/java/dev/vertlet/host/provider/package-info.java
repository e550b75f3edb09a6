/** What the providers of containers on this host say and read in the same way. */
@NullMarked
package dev.vertlet.host.provider;

import org.jspecify.annotations.NullMarked;
