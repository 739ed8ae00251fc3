/**
 * Filters that survive the process. {@link io.bloomkit.durable.DurableFilter} keeps a filter of any
 * kind in a folder: the newest snapshot in the file format of {@link
 * io.bloomkit.format.StorableFilter}, and a log of the updates since. docs/durable.md states what
 * is there after a crash, and docs/format.md the bytes.
 */
@NullMarked
package io.bloomkit.durable;

import org.jspecify.annotations.NullMarked;
