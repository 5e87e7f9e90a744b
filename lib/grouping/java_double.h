/*
 * java_double - the text that Java's Double.toString makes of a double.
 *
 * Up to JDK 18 that is not always the shortest text that reads back: 2.0E-3
 * is "0.002", but 2^-44 is "5.6843418860808015E-14", a digit too long.
 * Storm's groupings hash the bytes of this text, so it is made as there,
 * digit for digit.
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
