/*
 * version - of the commands and of the library.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BASE_VERSION_H
#define BASE_VERSION_H

#define TUPLETOOLS_VERSION "0.2"

#endif
