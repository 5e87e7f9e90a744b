/*
 * measure COMMAND - run a shell command with its output thrown away; print
 * the seconds that it took and the peak memory, in KiB, of its largest
 * process.
 *
 * A process's peak includes what its parent had when it was started; that is
 * why this is a small program.
 *
 * SPDX-License-Identifier: ISC
 */
#include <sys/resource.h>
#include <sys/wait.h>

#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int
main(int argc, char *argv[])
{
	struct rusage usage;
	double start = now();
	int status, null;
	pid_t pid;

	if (argc != 2 || (pid = fork()) < 0) {
		fputs("usage: measure COMMAND\n", stderr);
		return 2;
	}
	if (pid == 0) {
		null = open("/dev/null", O_WRONLY);
		if (null < 0 || dup2(null, STDOUT_FILENO) < 0)
			_exit(126);
		execl("/bin/sh", "sh", "-c", argv[1], (char *)NULL);
		_exit(127);
	}
	if (wait4(pid, &status, 0, &usage) != pid || status != 0) {
		fprintf(stderr, "measure: did not succeed: %s\n", argv[1]);
		return 1;
	}
	printf("%.3f %ld\n", now() - start, usage.ru_maxrss);
	return 0;
}
