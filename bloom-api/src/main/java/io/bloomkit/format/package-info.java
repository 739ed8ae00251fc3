/**
 * Files of filters, deltas between two versions of a filter, and descriptors of kinds of filters.
 *
 * <ul>
 *   <li>To write a filter: {@link io.bloomkit.format.StorableFilter}. To read one: the {@code
 *       readFrom} and {@code fromBytes} methods of its class.
 *   <li>To send the changes of a filter: {@link io.bloomkit.format.Delta}.
 *   <li>To handle filters of any kind, as a tool does: {@link
 *       io.bloomkit.format.FilterKind#installed}, a descriptor of each class of filters.
 * </ul>
 *
 * <p>docs/format.md specifies the bytes. Reading damaged bytes throws {@link
 * io.bloomkit.FilterFormatException}. Opening a memory-mapped file checks only its header; {@code
 * verify()} of the mapped filter checks the rest.
 */
@NullMarked
package io.bloomkit.format;

import org.jspecify.annotations.NullMarked;
