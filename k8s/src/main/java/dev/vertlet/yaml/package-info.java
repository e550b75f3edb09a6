/**
 * Reads YAML, and thereby JSON, with memory bounded by the size of the text: {@link
 * dev.vertlet.yaml.BoundedYaml}. Independent of event loops; every method may be called on any
 * thread. Not promised: that every value can be written as JSON.
 */
@NullMarked
package dev.vertlet.yaml;

import org.jspecify.annotations.NullMarked;
