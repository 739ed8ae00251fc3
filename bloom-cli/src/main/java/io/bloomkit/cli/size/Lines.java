package io.bloomkit.cli.size;

/**
 * How many 64-byte lines of memory operations touch: what they cost in a filter that is larger than
 * the caches. A block or bucket counts as one line, though some buckets cross the end of one, and
 * all blocks do where a small array does not begin at one.
 *
 * @param add an addition, the mean while a filter fills
 * @param addAtMost the costliest addition
 * @param query a query of an element that is there
 * @param queryAbsent a query of one that is not, the mean in a filter with all elements
 * @param remove a removal, in a filter that has it
 */
record Lines(double add, int addAtMost, int query, double queryAbsent, int remove) {}
