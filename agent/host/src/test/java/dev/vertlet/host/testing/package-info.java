/** What tests of the providers on this host share. */
@NullMarked
package dev.vertlet.host.testing;

import org.jspecify.annotations.NullMarked;
