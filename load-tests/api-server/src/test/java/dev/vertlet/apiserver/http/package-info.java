/** Tests of the package's parts without a server. */
@NullMarked
package dev.vertlet.apiserver.http;

import org.jspecify.annotations.NullMarked;
