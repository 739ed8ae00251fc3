/**
 * The file format: reads, writes and maps the contents of filters and deltas, and replaces files
 * atomically. Not for users.
 */
@NullMarked
package io.bloomkit.internal.format;

import org.jspecify.annotations.NullMarked;
