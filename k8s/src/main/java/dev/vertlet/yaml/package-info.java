/**
 * Reads YAML, of which JSON is a part, without taking more memory than the text deserves: {@link
 * dev.vertlet.yaml.BoundedYaml}. Knows no event loop; every method may be called on any thread.
 * Does not promise that what is read can be written as JSON.
 */
@NullMarked
package dev.vertlet.yaml;

import org.jspecify.annotations.NullMarked;
