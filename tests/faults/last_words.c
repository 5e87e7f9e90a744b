/*
 * last_words - what COVERAGE=1 links into commands and unit programs: one that
 * raises a signal, of which it dies, leaves its profile before.
 *
 * SPDX-License-Identifier: ISC
 */
#include <signal.h>

void __gcov_dump(void);
/* The linker has calls of raise come to __wrap_raise. */
int __real_raise(int number);
int __wrap_raise(int number);

int
__wrap_raise(int number)
{
	__gcov_dump();
	return __real_raise(number);
}
