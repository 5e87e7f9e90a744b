/*
 * java_double - write a double as Java's Double.toString does.
 *
 * Up to JDK 18 this is not always the shortest text that reads back: 2.0E-3 is
 * "0.002", but 2^-44 is "5.6843418860808015E-14", which has a digit more than
 * it needs.  Storm's groupings hash this text, so every digit matters.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef GROUPING_JAVA_DOUBLE_H
#define GROUPING_JAVA_DOUBLE_H

#include "base/buffer.h"

/*
 * Append v as Java spells it: "1.5", "1.0E10", "-0.0", "Infinity", "NaN".
 *
 * Errors: none.
 * Source: the conversion of FloatingDecimal in JDK 1.4 to 18, after G. Steele
 *         and J. White, "How to print floating-point numbers accurately",
 *         PLDI 1990.  JDK 19 and later write the shortest text.
 */
void java_double_put(struct buffer *b, double v);

#endif
