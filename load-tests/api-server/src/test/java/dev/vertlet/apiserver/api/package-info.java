/** Tests of the package's parts without a server. */
@NullMarked
package dev.vertlet.apiserver.api;

import org.jspecify.annotations.NullMarked;
