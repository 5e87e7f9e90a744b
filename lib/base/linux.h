/*
 * linux - what POSIX does not have.  It is included before all else where such
 * calls are made, which is in base alone; elsewhere base has a way without
 * them, which PORTABLE=1 builds and tests on Linux, too.
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
