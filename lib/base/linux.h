/*
 * linux - enable calls that only Linux has.  Include it first, and only in
 * base, which can do without each of them; PORTABLE=1 builds that on Linux.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BASE_LINUX_H
#define BASE_LINUX_H

#if defined(__linux__) && !defined(PORTABLE)
#define _GNU_SOURCE
#define HAS_LINUX
#endif

#endif
