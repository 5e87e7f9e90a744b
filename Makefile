# tupletools.  GNU make; the targets:
#
#   make            the commands in build/bin, the library, completions
#   make demo       the most frequent words of the last nine seconds, as they
#                   change, from a built-in source; on a terminal live
#   make check      the tests, or TESTS='tests/sjoin.bats tests/unit/join.c';
#                   compiler warnings are errors here
#   make check-arm64
#                   what is compiled otherwise for 64-bit ARM, under qemu
#   make check-musl
#                   the unit programs with another C library
#   make check-storm
#                   the same topologies on a Storm cluster and in a pipe; needs
#                   Java, and Maven, which fetches Storm
#   make crash      CRASH_KILLS=1000 times a process, at random moments; then,
#                   for CRASH_SECONDS=60, those whose logs are rotated, those
#                   whose time goes on by itself, and all with hostile input
#   make faults     let each call of the system fail once
#   make damage     DAMAGES=10000 random changes of states; SAN=1 finds most
#   make lint       format, shell scripts, manual pages, static analysis
#   make analyze    gcc's analyzer, for leaks and double frees
#   make fuzz       each harness in tests/fuzz for FUZZ_SECONDS=60, as many at
#                   a time as there are processors
#   make coverage   what of lib and cmd all tests together run: of lines and of
#                   branches, and why which lines are not, by tests/uncovered
#   make nightly    the long forms of the above, for hours, and whether two
#                   builds are the same
#   make bench      the figures, against peers in the same run
#   make bench-storm
#                   rolling top words as a pipe and on Storm
#   make deps       install what demo and check need, where apt-get is there
#   make deb        Debian packages, in build/deb
#   make install    DESTDIR= PREFIX=/usr/local; uninstall removes the same files
#   make clean
#
# SAN=1 with any of them builds in build-san, under the address and undefined
# behaviour sanitizers, SAN=thread in build-san-thread, under that of threads,
# with random delays where one hands over to another;
# CC=clang in a folder of its own, too, build-clang or build-san-clang.
# PORTABLE=1 builds in build-portable, without what only Linux has.  V=1 shows
# the commands.  LTO= builds in a quarter of the time, for work on the code.

SHELL := bash
.SHELLFLAGS := -o pipefail -c
.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: all demo check check-arm64 check-musl check-storm crash damage faults \
    lint analyze fuzz coverage nightly bench bench-storm deb deps install \
    uninstall clean FORCE

PREFIX ?= /usr/local
CFLAGS ?= -O2 -g
OBJCOPY ?= objcopy
FUZZ_SECONDS ?= 60
# The groupings on the papers' streams; theirs are 10 and 10000000.
SEEDS ?= 3
TUPLES ?= 1000000
CRASH_KILLS ?= 1000
CRASH_SECONDS ?= 60
DAMAGES ?= 10000

comma := ,
clang := $(findstring clang,$(CC))
build := build$(if $(FUZZ),-fuzz,$(if $(SAN),-san)$(filter-out -1,$(SAN:%=-%)))$(if \
    $(COVERAGE),-coverage)$(if $(PORTABLE),-portable)$(if $(clang),-clang)
version := $(shell sed -n 's/.*_VERSION "\(.*\)"/\1/p' lib/base/version.h)
# Each command is optimised as a whole when it is linked, which takes 4 % off
# most of them, 10 % off a join on two threads, and nothing off topn; so are the
# benchmarks, while tests are linked as they are.  That is for gcc: others may
# need a linker of their own.
ifeq ($(origin LTO),undefined)
LTO := $(if $(SAN)$(FUZZ)$(COVERAGE),,$(shell lto='-flto=auto -ffat-lto-objects'; \
    $(CC) -dM -E -xc /dev/null 2>&1 | grep -q __clang__ || \
    [ "$$($(CC) $$lto -xc -c -o /dev/null /dev/null 2>&1)" ] || echo "$$lto"))
endif

warn := -Wall -Wextra -Wshadow -Wconversion -Wvla -Wwrite-strings
# gcc 12 warns of uninitialised variables that only the sanitizers' code reads.
sanitize := -fsanitize=$(or $(filter thread,$(SAN)),address$(comma)undefined$(if \
    $(FUZZ),$(comma)fuzzer)) -fno-sanitize-recover=all -fno-omit-frame-pointer \
    $(if $(clang),,-Wno-maybe-uninitialized)
# With -flto in CFLAGS: the library for others is packed by ld, which needs code.
fat := $(if $(clang),,$(if $(findstring -flto,$(CFLAGS)),-ffat-lto-objects))
# The same program is made of the same files wherever they lie.  gcc's link time
# optimizer has other names for them but where the folder is always called so.
here := $(if $(LTO),/proc/self/cwd,$(CURDIR))
compile = $(if $(LTO),PWD=$(here)) $(CC)
flags = -std=c11 -D_XOPEN_SOURCE=700 $(if $(PORTABLE),-DPORTABLE) -Ilib $(warn) \
    "-ffile-prefix-map=$(here)=." -frandom-seed=$(notdir $@) \
    -fvisibility=hidden \
    $(CFLAGS) $(fat) $(LTO) $(if $(SAN)$(FUZZ),$(sanitize)) \
    $(if $(COVERAGE),-O0 --coverage -fprofile-update=atomic)
libs := -Wl,--as-needed -ljansson -lsqlite3 -lxxhash -lz -lzstd -lm -lpthread

commands := $(basename $(notdir $(wildcard cmd/*.c)))
modules := $(wildcard lib/*/*.c)
units := $(wildcard tests/unit/*.c)
harnesses := $(wildcard tests/fuzz/*.c)
benches := $(addprefix tests/bench/,grouping.c scanner.c tables.c upserts.c)
pages := $(wildcard man/*.[1357])

library := $(build)/lib/libtuple.a
# The same for others to link: one object, in which only what libtuple.h
# declares has a name.
public := $(build)/public/libtuple
binaries := $(commands:%=$(build)/bin/%)
preload := $(build)/tests/faults/faults.so
# Where bash, zsh and fish look for them; fish wants a file for each command.
completions := share/bash-completion/completions/tupletools \
    share/zsh/site-functions/_tupletools \
    $(commands:%=share/fish/vendor_completions.d/%.fish)
# What is linked into all programs, and the calls that come to it.
wrapper := $(if $(filter thread,$(SAN)),delays)$(if $(COVERAGE),last_words)
delays_wraps := pthread_mutex_lock pthread_mutex_unlock pthread_cond_wait \
    pthread_cond_signal pthread_create
last_words_wraps := raise
object = $(patsubst %.c,$(build)/%.o,$(1))
program = $(patsubst %.c,$(build)/%,$(1))
objects := $(call object,$(wildcard cmd/*.c) $(modules) $(units) \
    $(harnesses) $(benches) $(wrapper:%=tests/faults/%.c))

Q := $(if $(V),,@)
# As many jobs as processors, unless make was told a number.
submake = $(MAKE) --no-print-directory \
    $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(shell nproc))

all: $(library) $(binaries) $(addprefix $(build)/,$(completions)) $(public).a \
    $(public).pc

# What the compiler says is kept beside the object, so that check can refuse
# warnings without compiling everything again with -Werror; when it links a
# command too, as then it compiles once more.
keep = status=0; $(1) 2>$(2).warnings || status=$$?; \
    cat $(2).warnings >&2; exit $$status

$(build)/%.o: %.c $(build)/flags
	@mkdir -p $(@D)
	@echo '  cc $<'
	$(Q)$(call keep,$(compile) $(flags) -MMD -MP -c -o $@ $<,$@)

$(library): $(call object,$(modules)) $(build)/modules
	@mkdir -p $(@D)
	@echo '  ar $@'
	$(Q)rm -f $@; $(AR) rcs $@ $(filter %.o,$^)

$(public).a: $(library)
	@mkdir -p $(@D)
	@echo '  ar $@'
	$(Q)$(LD) -r -o $(public).o --whole-archive $<
	$(Q)$(OBJCOPY) --localize-hidden --remove-section '.gnu.*lto_*' $(public).o
	$(Q)rm -f $@; $(AR) rcs $@ $(public).o

$(public).pc: lib/base/version.h Makefile
	@mkdir -p $(@D)
	@printf '%s\n' 'prefix=$${pcfiledir}/../..' 'Name: libtuple' \
	    'Description: Filters of tuples, and bolts for Apache Storm' \
		    'Version: $(version)' 'Cflags: -I$${prefix}/include' \
	    'Libs: -L$${prefix}/lib -ltuple $(filter -l%,$(libs))' >$@

wrapper_object := $(wrapper:%=$(build)/tests/faults/%.o)
link = $(compile) $(flags) $(LDFLAGS) $(1) \
    $($(wrapper)_wraps:%=-Wl$(comma)--wrap=%) -o $@ $^ $(libs)

$(binaries): $(build)/bin/%: $(build)/cmd/%.o $(wrapper_object) $(library)
	@mkdir -p $(@D)
	@echo '  ld $@'
	$(Q)$(call keep,$(call link),$(build)/cmd/$*.link)

# The calls that tests let fail, see tests/unit/faulty.h.
$(call program,$(shell grep -l '^#include "faulty.h"' $(units))): private \
    wraps := -Wl,--wrap=read,--wrap=write,--wrap=close,--wrap=poll

$(call program,$(units) $(harnesses)): private apart := $(if $(LTO),-fno-lto)

$(call program,$(units) $(harnesses) $(benches)): %: %.o $(wrapper_object) $(library)
	@echo '  ld $@'
	$(Q)$(call link,$(wraps) $(apart))

$(preload): tests/faults/faults.c $(build)/flags
	@mkdir -p $(@D)
	@echo '  cc $<'
	$(Q)$(call keep,$(CC) -std=c11 $(warn) $(CFLAGS) -fPIC -shared -o $@ $<,$@)

# Files that are touched only when their text changes: other flags compile
# everything again, a module less packs the library again.
$(build)/flags: text = $(CC) $(flags) $(LDFLAGS)
$(build)/modules: text = $(modules)
$(build)/flags $(build)/modules: FORCE
	@mkdir -p $(@D)
	@echo '$(text)' | cmp -s - $@ || echo '$(text)' >$@

# The options that each command's --help lists; no second list to keep.
complete = mkdir -p $(@D); for c in $(filter $(build)/bin/%,$^); do \
    $$c --help || exit; done | awk -v shell=$(1) \
    -v commands='$(commands)' -f tests/package/completion.awk >$@

$(build)/share/bash-completion/%: $(binaries) tests/package/completion.awk
	@echo '  completion for bash'
	@$(call complete,bash)

$(build)/share/zsh/%: $(binaries) tests/package/completion.awk
	@echo '  completion for zsh'
	@$(call complete,zsh)

$(build)/share/fish/vendor_completions.d/%.fish: $(build)/bin/% \
    tests/package/completion.awk
	@$(call complete,fish)

-include $(objects:.o=.d)

# Everything below that compiles does so in a second make, after the
# dependencies are there: a fresh machine has make but no compiler.

demo := spout words -n 300 -r 60 --seed 1 | \
    rollcount -k word -w 9s -e 3s -t ts -T | \
    topn -n 5 -k word -v count -T | tview --bar count

demo: deps-demo
	+@$(submake) all
	@printf '\n$$ %s\n\n' '$(demo)'; PATH="$(CURDIR)/$(build)/bin:$$PATH"; $(demo)

warnings = $(objects:=.warnings) $(commands:%=$(build)/cmd/%.link.warnings) \
    $(preload).warnings

check: deps-check
	+@$(submake) check-programs
	@if grep -q . /dev/null $(warnings); then cat $(warnings) >&2; \
		echo 'check: compiler warnings, shown above, are errors' >&2; \
		exit 1; \
	fi
	@tests/run $(build) $(TESTS)

check-programs: all $(objects) $(call program,$(units)) $(preload)

check-arm64: deps-arm64
	@tests/arm64/run

check-musl: deps-musl
	@tests/musl/run

check-storm: deps-check
	+@$(submake) all
	@tests/storm/run $(build)

crash: deps-check
	+@$(submake) all
	tests/crash/crash.py $(build)/bin --kills $(CRASH_KILLS)
	tests/crash/rotate.py $(build)/bin --seconds $(CRASH_SECONDS)
	tests/crash/live.py $(build)/bin --seconds $(CRASH_SECONDS)
	tests/crash/hostile.py $(build)/bin --seconds $(CRASH_SECONDS)

faults: deps-check
	+@$(submake) all $(preload)
	tests/faults/faults.py $(build)

damage: deps-check
	+@$(submake) all
	tests/crash/damage.py $(build)/bin --changes $(DAMAGES)

bench: deps-bench
	+@$(submake) all $(call program,$(benches))
	tests/bench/run $(build)/bin
	$(build)/tests/bench/tables
	$(build)/tests/bench/grouping $(SEEDS) $(TUPLES)
	$(build)/tests/bench/upserts

bench-storm: all
	tests/storm/bench $(build)

deb: deps-deb
	+@$(submake) all
	@tests/package/deb $(build) $(version)

fuzz:
	+@$(submake) CC=$(or $(clang:clang=$(CC)),clang) FUZZ=1 deps-fuzz
	+@$(submake) CC=$(or $(clang:clang=$(CC)),clang) FUZZ=1 fuzz-run

fuzz-run: $(call program,$(harnesses))
	@printf '%s\n' $^ | FUZZ_SECONDS=$(FUZZ_SECONDS) \
	    xargs -n 1 -P "$$(nproc)" tests/fuzz/run

# Hours: what check and .ci/run do in part, in full.
nightly:
	+@$(submake) check
	+@$(submake) analyze
	tests/random/compare.py $(build)/bin --seeds 1-3000
	tests/storm/endure $(build)
	+@$(submake) SAN=thread check
	+@SEEDS="$$(seq -s' ' 2 21)" $(submake) SAN=thread check \
	    TESTS=tests/threads.bats
	+@$(submake) faults
	+@$(submake) crash CRASH_SECONDS=3600
	+@$(submake) SAN=1 damage
	+@$(submake) SAN=1 CC=clang damage
	+@$(submake) fuzz FUZZ_SECONDS=3600
	+@$(submake) coverage
	tests/twice

# Tests may fail here: faults meet the counting, too.
coverage: deps-coverage
	+@$(submake) COVERAGE=1 coverage-run

coverage-run: check-programs
	@find $(build) -name '*.gcda' -delete
	-@tests/run $(build) $(TESTS)
	@gcovr --root . --filter lib/ --filter cmd/ --print-summary \
	    --exclude-branches-by-pattern '.*assert\(.*' \
	    --txt $(build)/lines $(build)
	@tests/coverage.py $(build)

c_files := $(wildcard cmd/*.[ch] lib/*/*.[ch] tests/*/*.[ch])
scripts := tests/run .ci/run tests/package/deb tests/package/try \
    tests/storm/bench tests/storm/endure $(wildcard tests/*/run \
    tests/*.bash tests/*/*.bash \
    tests/*.bats tests/*/*.bats tests/*.sh tests/*/*.sh)

# tests/house.bats has the rules of the tree: layers, ASCII, what belongs where.
lint: deps-lint
	@status=0; run() { echo "  $${*:1:2}"; "$$@" || status=1; }; \
	run clang-format -n -Werror $(c_files); \
	run shellcheck $(scripts); \
	$(if $(pages),run mandoc -Tlint -W warning $(pages);) \
	run cppcheck --quiet --std=c11 --enable=warning,portability \
	    --inline-suppr --error-exitcode=1 -Ilib -Itests/unit \
	    $(wildcard cmd lib tests/unit tests/fuzz); \
	run xargs -P "$$(nproc)" -n 8 -a <(printf '%s\n' \
	    $(filter cmd/%.c lib/%.c,$(c_files))) sh -c 'clang-tidy --quiet \
	    "$$@" -- -std=c11 -D_XOPEN_SOURCE=700 -Ilib 2>/dev/null' tidy; \
	run bats tests/house.bats; \
	[ $$status = 0 ] && echo 'lint: nothing to say' || \
	    { echo 'lint: see above' >&2; exit 1; }

# What gcc's analyzer cannot know: what a function of another file sets or gives
# back, that nothing is copied where there are no bytes, and what vectors are.
analyzer_lacks := null-argument null-dereference use-of-uninitialized-value \
    shift-count-overflow

analyze:
	@printf '%s\n' $(wildcard cmd/*.c) $(modules) | \
	xargs -P "$$(nproc)" -n 1 gcc -std=c11 -D_XOPEN_SOURCE=700 -Ilib -O1 \
	    -fanalyzer -Werror $(analyzer_lacks:%=-Wno-analyzer-%) -c -o /dev/null

# PACKAGE:WHAT, WHAT being a header or a program that PACKAGE brings.
needs-demo = $(if $(clang),clang,gcc):$(firstword $(CC)) libc6-dev:stdio.h \
    libjansson-dev:jansson.h libsqlite3-dev:sqlite3.h libxxhash-dev:xxhash.h \
    zlib1g-dev:zlib.h libzstd-dev:zstd.h \
    $(if $(clang),$(if $(SAN)$(FUZZ),libclang-rt-dev:sanitizer/asan_interface.h))
needs-check = $(needs-demo) bats:bats jq:jq python3:python3 mandoc:mandoc \
    miller:mlr pkg-config:pkg-config sqlite3:sqlite3 zstd:zstd \
    gnuplot-nox:gnuplot
needs-lint = bats:bats mandoc:mandoc shellcheck:shellcheck cppcheck:cppcheck \
    clang-format:clang-format clang-tidy:clang-tidy
needs-fuzz = $(needs-demo)
needs-coverage = $(needs-check) gcovr:gcovr
needs-deb = $(needs-demo) dpkg-dev:dpkg-shlibdeps
needs-bench = $(needs-check)
needs-arm64 = gcc-aarch64-linux-gnu:aarch64-linux-gnu-gcc \
    libc6-dev-arm64-cross:aarch64-linux-gnu-gcc \
    qemu-user-static:qemu-aarch64-static

needs-musl = musl-tools:musl-gcc libxxhash-dev:xxhash.h

deps: deps-check

deps-demo deps-check deps-lint deps-fuzz deps-coverage deps-bench deps-deb \
    deps-arm64 deps-musl: deps-%: FORCE
	@missing=; \
	for need in $(needs-$*); do \
		case $${need#*:} in \
		*.h) echo "#include <$${need#*:}>" | $(CC) -E - ;; \
		*) command -v "$${need#*:}" ;; \
		esac >/dev/null 2>&1 || missing+=" $${need%%:*}"; \
	done; \
	if [ -z "$$missing" ]; then \
		echo 'nothing to install'; exit; \
	fi; \
	sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; \
	if ! type apt-get $$sudo >/dev/null 2>&1; then \
		echo "missing (Debian's names):$$missing" >&2; exit; \
	fi; \
	log=$$(mktemp); \
	{ $$sudo apt-get update; \
	$$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y \
	    --no-install-recommends $$missing; } </dev/null >"$$log" 2>&1 || \
	    { cat "$$log" >&2; exit 1; }; \
	rm -f "$$log"; echo "installed:$$missing"

root := $(DESTDIR)$(PREFIX)
bash_completions := share/bash-completion/completions
doc := share/doc/tupletools
section = $(subst .,,$(suffix $(1)))
man = $(foreach page,$(pages),share/man/man$(call section,$(page))/$(notdir $(page)))

# What the recipes of tupletools-cookbook(7) are about, and libtuple(3).
samples := $(wildcard man/samples/*) tests/example/growth.c

install: all
	@for f in $(commands:%=bin/%) $(completions); do \
		mode=644; [ $${f%%/*} != bin ] || mode=755; \
		install -D -m $$mode "$(build)/$$f" "$(root)/$$f" || exit; \
	done; \
	install -D -m 644 $(public).a "$(root)/lib/libtuple.a" && \
	install -D -m 644 $(public).pc "$(root)/lib/pkgconfig/libtuple.pc" && \
	install -D -m 644 lib/run/libtuple.h "$(root)/include/libtuple.h" || \
	    exit; \
	for f in $(man); do \
		install -D -m 644 "man/$${f##*/}" "$(root)/$$f" || exit; \
	done; \
	for f in $(samples); do \
		install -D -m 644 "$$f" "$(root)/$(doc)/$${f##*/}" || exit; \
	done; \
	for c in $(commands); do \
		ln -sf tupletools "$(root)/$(bash_completions)/$$c" || exit; \
	done

uninstall:
	@for f in $(commands:%=bin/%) $(man) lib/libtuple.a \
	    lib/pkgconfig/libtuple.pc include/libtuple.h \
	    $(completions) $(addprefix $(bash_completions)/,$(commands)) \
	    $(addprefix $(doc)/,$(notdir $(samples))); do \
		rm -f "$(root)/$$f"; \
	done
	@rmdir "$(root)/$(doc)" 2>/dev/null || true

clean:
	rm -rf build build-*
