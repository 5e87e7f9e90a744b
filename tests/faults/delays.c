/*
 * delays - what SAN=thread links into commands and unit programs: threads hand
 * over to each other after random delays, so that they meet in orders that
 * they seldom meet in by themselves.  DELAYS=SEED in the environment gives
 * other ones.
 *
 * SPDX-License-Identifier: ISC
 */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

/* One call in DELAYED waits, up to MOST_NS. */
enum { DELAYED = 8, MOST_NS = 200000 };

static __thread uint64_t state;
static uint64_t threads;

static uint64_t
next(void)
{
	const char *seed = getenv("DELAYS");

	if (state == 0)
		state = (seed == NULL ? 1 : strtoull(seed, NULL, 10)) * 1000 +
		    __atomic_add_fetch(&threads, 1, __ATOMIC_RELAXED);
	/* Knuth's constants for 64 bits; the high ones are the random ones. */
	state = state * UINT64_C(6364136223846793005) +
	    UINT64_C(1442695040888963407);
	return state >> 33;
}

static void
delay(void)
{
	struct timespec t = { 0, 0 };

	if (next() % DELAYED != 0)
		return;
	t.tv_nsec = (long)(next() % MOST_NS);
	nanosleep(&t, NULL);
}

/* The linker has calls of NAME come to __wrap_NAME. */
#define DELAY(name, parameters, ...)                 \
	int __real_##name parameters;                \
	int __wrap_##name parameters;                \
                                                     \
	int __wrap_##name parameters                 \
	{                                            \
		int result;                          \
                                                     \
		delay();                             \
		result = __real_##name(__VA_ARGS__); \
		delay();                             \
		return result;                       \
	}

DELAY(pthread_mutex_lock, (pthread_mutex_t * m), m)
DELAY(pthread_mutex_unlock, (pthread_mutex_t * m), m)
DELAY(pthread_cond_wait, (pthread_cond_t * c, pthread_mutex_t *m), c, m)
DELAY(pthread_cond_signal, (pthread_cond_t * c), c)
DELAY(pthread_create,
    (pthread_t * t, const pthread_attr_t *a, void *(*run)(void *), void *arg),
    t, a, run, arg)
