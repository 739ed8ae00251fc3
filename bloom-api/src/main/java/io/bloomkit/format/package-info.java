/**
 * The file format of docs/format.md, and what a filter needs to be found, written and read.
 *
 * <p>Users meet {@link io.bloomkit.format.StorableFilter} and {@link io.bloomkit.format.Delta}.
 * Authors of a filter start at {@link io.bloomkit.format.FilterContents}, which writes, and {@link
 * io.bloomkit.format.FilterReader}, which reads and trusts no byte. The codecs behind them are
 * package-private. Depends on {@code io.bloomkit} and {@code io.bloomkit.hash}.
 */
@NullMarked
package io.bloomkit.format;

import org.jspecify.annotations.NullMarked;
