/**
 * The file format of docs/format.md, and what a filter needs to be found, written and read.
 *
 * <p>Users meet {@link io.bloomkit.format.StorableFilter} and {@link io.bloomkit.format.Delta}.
 * Authors of a filter start at {@link io.bloomkit.format.FilterContents}, which writes, and {@link
 * io.bloomkit.format.FilterReader}, which reads and trusts no byte. The codecs behind them are
 * package-private.
 *
 * <p><b>Damaged files.</b> Reading a damaged file throws {@link
 * io.bloomkit.format.FilterFormatException} and nothing else. {@code ReceivedBytes} finds that a
 * file is truncated, {@link io.bloomkit.format.FilterHeader} checks the header, {@link
 * io.bloomkit.format.FilterReader} the fields and {@link io.bloomkit.format.SectionReader} the
 * sections with their checksums. A file that is only mapped ({@code MappedFile}) has its header
 * checked at once and its sections when the {@code verify} of the filter is called.
 *
 * <p>Depends on {@code io.bloomkit} and {@code io.bloomkit.hash}.
 */
@NullMarked
package io.bloomkit.format;

import org.jspecify.annotations.NullMarked;
