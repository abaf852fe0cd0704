# SPDX-License-Identifier: GPL-2.0-or-later
#
# make                  builds ./layoutcheck
# make install          PREFIX (/usr/local) and DESTDIR are honoured
# make check            the tests and the fast lints: prove over tests/unit, tests/cli, tests/lint
# make check-asan       the same tests under AddressSanitizer and UBSan, in build/asan
# make check-random     2,000 random structs, and 300 edits of such, against compilers and pahole;
#                       SEED=N repeats a run
# make check-threads    ThreadSanitizer on what works on several threads, on a kernel
# make check-kernel     every struct of four real kernels, one big-endian and one of 32 bits among them,
#                       against other readers; fetches them (1.6 GB)
# make check-kernels-all  the same of the kernels of five machines; fetches them (3.2 GB)
# make check-user-packs the packs of DPDK and PostgreSQL against their headers; fetches those (10 MB)
# make check-languages  objects of Rust, Ada, D, Fortran and Go, as their programs have them
# make check-c2c        recordings against perf, their names against known answers; fetches a kernel
#                       (300 MB)
# make check-record     recordings made in QEMU, of a kernel and of programs; fetches a kernel (300 MB)
# make check-browser    HTML reports in Chromium; SHOTS=DIR keeps pictures of them
# make fuzz             libFuzzer on every reader, FUZZ_SECONDS (60) each; ONLY=NAME for one of them;
#                       ENGINE=afl: AFL++
# make fuzz-coverage    what of each room the corpus reaches
# make check-history    every era of files_struct by every compiler, machine and line size
# make lint             the fast lints and the slow ones
# make bench            one table of times, on a real kernel
# make reports          rebuilds reports/
# make formats          rebuilds docs/formats.md from its tests; TESTS=tests/cli/NAME.t for some
#
# DEV=1 makes warnings errors, V=1 shows the commands. CFLAGS, CPPFLAGS and LDFLAGS are yours; what the code needs is added
# to them. Tests run JOBS at a time.
PREFIX  ?= /usr/local
BINDIR   = $(PREFIX)/bin
MANDIR   = $(PREFIX)/share/man
RULESDIR = $(PREFIX)/share/layoutcheck/rules
# What recordings are made with, beside the program.
HELPERDIR = $(PREFIX)/lib/layoutcheck
INCLUDEDIR = $(PREFIX)/include
INSTALL ?= install
CFLAGS  ?= -O2 -g
JOBS    ?= $(shell nproc 2>/dev/null || echo 2)
BUILD   ?= build

OPTIMIZED = $(filter -O -O1 -O2 -O3 -Os -Og -Ofast,$(CFLAGS))
HARDEN   ?= -fstack-protector-strong -fPIE \
	$(if $(OPTIMIZED),-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
HARDEN_LD ?= -pie -Wl,-z,relro -Wl,-z,now

WARNINGS = -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wwrite-strings \
	-Wpointer-arith $(if $(DEV),-Werror)
ALL_CFLAGS  = -std=c11 -D_GNU_SOURCE -Isrc $(LIB_CFLAGS) $(WARNINGS) $(HARDEN) $(CPPFLAGS) $(CFLAGS)
ALL_LDFLAGS = $(HARDEN_LD) $(CFLAGS) $(LDFLAGS)
ALL_LIBS    = $(LIB_LIBS) -lpthread $(LDLIBS)

ROOMS   = base layout elf insn dwarf btf perf record rule diff c2c report cli
SRCS    = $(foreach room,$(ROOMS),$(wildcard src/$(room)/*.c))
OBJS    = $(SRCS:src/%.c=$(BUILD)/%.o) $(BUILD)/report/html_css.o
MAIN    = $(BUILD)/layoutcheck.o
LIBRARY = $(BUILD)/liblayoutcheck.a
# ./layoutcheck for people; a build elsewhere keeps its program there.
PROGRAM = $(if $(filter build,$(BUILD)),layoutcheck,$(BUILD)/layoutcheck)

# Beside each unit test NAME.c, the helpers that several share: tests/unit/lib/*.c.
UNIT_SRCS = $(wildcard tests/unit/*.c)
UNITS     = $(UNIT_SRCS:tests/unit/%.c=$(BUILD)/tests/%)
UNIT_LIB  = $(patsubst tests/unit/%.c,$(BUILD)/tests/%.o,$(wildcard tests/unit/lib/*.c))
CLI_TESTS  = $(wildcard tests/cli/*.t)
LINT_TESTS = $(wildcard tests/lint/*.t)
LINT_TOOLS = $(wildcard tests/lint/tools/*.t)
BROWSER_TESTS = $(wildcard tests/browser/*.t)
KERNEL_TESTS = $(wildcard tests/kernels/*.t)
USER_TESTS = $(wildcard tests/user/*.t)
LANGUAGE_TESTS = $(wildcard tests/languages/*.t)
KERNEL_TOOLS = $(patsubst %.c,$(BUILD)/%,$(wildcard tests/kernels/*.c))
C2C_TESTS = $(wildcard tests/c2c/*.t)
RECORD_TESTS = $(wildcard tests/record/*.t)
# Each a program of its own: for libFuzzer, and one that replays its corpus.
FUZZ_COMMON = tests/fuzz/fuzz.c tests/fuzz/replay.c
FUZZ_NAMES  = $(patsubst tests/fuzz/%.c,%,$(filter-out $(FUZZ_COMMON),$(wildcard tests/fuzz/*.c)))
REPLAYS     = $(FUZZ_NAMES:%=$(BUILD)/fuzz/replay-%)
FUZZERS     = $(FUZZ_NAMES:%=$(BUILD)/fuzz/%)
# Not in tests/, where a unit test may have the name of their directory.
C2C_TOOLS = $(patsubst tests/%.c,$(BUILD)/tools/%,$(wildcard tests/c2c/*.c))

# What runs inside of QEMU for `record`; needs nothing of QEMU to be built.
PLUGIN = $(BUILD)/layoutcheck-tcg.so
PLUGIN_OBJS = $(patsubst src/%.c,$(BUILD)/%.o,$(wildcard src/plugin/*.c))

# What stands beside the program.
HELPERS = $(BUILD)/layoutcheck-init $(BUILD)/layoutcheck-fetch-kernel $(PLUGIN)

all: $(PROGRAM) $(HELPERS)

# say VERB: what is being made, or with V=1 how.
say = $(if $(V),,@printf '  %-6s %s\n' '$(1)' '$(patsubst $(BUILD)/%,%,$@)';)

# What the machine has. Not looked at by targets that build nothing.
ifneq ($(filter-out clean,$(or $(MAKECMDGOALS),all)),)
include $(BUILD)/config.mk
endif

$(BUILD)/config.mk: probe packages.txt
	@mkdir -p $(@D)
	@CC='$(CC)' CPPFLAGS='$(CPPFLAGS)' CFLAGS='$(CFLAGS)' LDFLAGS='$(LDFLAGS)' \
		./probe build >$@.new || { rm -f $@.new; exit 1; }
	@mv $@.new $@

# Files that change only when the flags do: what was built with others is built again.
define stamp
	@mkdir -p $(@D)
	@printf '%s\n' '$(subst ','\'',$(1))' | cmp -s - $@ || printf '%s\n' '$(subst ','\'',$(1))' >$@
endef

$(BUILD)/flags: FORCE
	$(call stamp,$(CC) $(ALL_CFLAGS))
$(BUILD)/flags-link: FORCE
	$(call stamp,$(CC) $(ALL_LDFLAGS) $(ALL_LIBS) $(OBJS) $(UNIT_LIB))
$(BUILD)/flags-install: FORCE
	$(call stamp,$(RULESDIR) $(HELPERDIR))

$(PROGRAM): $(MAIN) $(LIBRARY) $(BUILD)/flags-link
	$(call say,LD)$(CC) $(ALL_LDFLAGS) -o $@ $(MAIN) $(LIBRARY) $(ALL_LIBS)

$(LIBRARY): $(OBJS) $(BUILD)/flags-link
	@rm -f $@
	$(call say,AR)$(AR) rcs $@ $(OBJS)

$(BUILD)/cli/%.o: DEFINES = -DRULESDIR='"$(RULESDIR)"' -DHELPERDIR='"$(HELPERDIR)"'
$(patsubst src/%.c,$(BUILD)/%.o,$(wildcard src/cli/*.c)): $(BUILD)/flags-install

$(filter-out %/html_css.o,$(OBJS)) $(MAIN): $(BUILD)/%.o: src/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(DEFINES) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# They run elsewhere, in a guest and in QEMU, where no sanitizer is.
HELPER_CFLAGS = -std=c11 -D_GNU_SOURCE -Isrc -Iinclude $(WARNINGS) $(filter-out -fPIE,$(HARDEN)) \
	$(CPPFLAGS) $(filter-out -fsanitize=% -fno-sanitize%,$(CFLAGS))
HELPER_LDFLAGS = $(filter-out -pie,$(HARDEN_LD)) $(LDFLAGS)

# The first process of a guest has nothing to link with there.
$(BUILD)/layoutcheck-init: src/init/init.c include/layoutcheck-marks.h Makefile $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(HELPER_CFLAGS) $(HELPER_LDFLAGS) -static -s -o $@ $<

$(BUILD)/layoutcheck-fetch-kernel: src/record/fetch-kernel
	@mkdir -p $(@D)
	$(call say,CP)$(INSTALL) -m 755 $< $@

# Unit tests link what of it is pure.
$(PLUGIN_OBJS): $(BUILD)/plugin/%.o: src/plugin/%.c Makefile $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(HELPER_CFLAGS) -fPIC -fvisibility=hidden -MMD -MP -c -o $@ $<

$(PLUGIN): $(PLUGIN_OBJS)
	$(call say,LD)$(CC) $(HELPER_LDFLAGS) -shared -o $@ $(PLUGIN_OBJS)

# The style sheet of HTML reports as the string `html_css`, without indentation and comments.
$(BUILD)/report/html_css.c: src/report/html.css Makefile
	@mkdir -p $(@D)
	@{ echo '#include "report/html.h"' && echo 'const char html_css[] =' && \
		sed -e '/^\/\*/d' -e 's/^[[:space:]]*//' -e '/^$$/d' -e 's/["\\]/\\&/g' \
			-e 's/.*/\t"&\\n"/' $< && echo ';'; } >$@.new && mv $@.new $@

$(BUILD)/report/html_css.o: $(BUILD)/report/html_css.c $(BUILD)/flags
	$(call say,CC)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/tests/%.o: tests/unit/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC)$(CC) -Itests/unit $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

MODEL = $(addprefix $(BUILD)/plugin/,coherence.o counts.o freshness.o lines.o)
$(BUILD)/tests/coherence $(BUILD)/tests/freshness: $(MODEL)
$(BUILD)/tests/coherence $(BUILD)/tests/freshness: LINKED = $(MODEL)

$(UNITS): $(BUILD)/tests/%: $(BUILD)/tests/%.o $(UNIT_LIB) $(LIBRARY) $(BUILD)/flags-link
	$(call say,LD)$(CC) $(ALL_LDFLAGS) -o $@ $< $(LINKED) $(UNIT_LIB) $(LIBRARY) -lcmocka $(ALL_LIBS)

# What tests/kernels and tests/c2c ask our readers and libdwarf with. Those of c2c write recordings,
# too, with the helpers of the unit tests.
$(C2C_TOOLS): TOOL_LIBS = $(UNIT_LIB) $(LIBRARY) -lcmocka
$(C2C_TOOLS): $(UNIT_LIB)
define make-tool
	@mkdir -p $(@D)
	$(call say,LD)$(CC) -Itests/unit $(ALL_CFLAGS) $(ALL_LDFLAGS) -MMD -MP -o $@ $< \
		$(or $(TOOL_LIBS),$(LIBRARY)) $(ALL_LIBS)
endef
$(KERNEL_TOOLS): $(BUILD)/tests/%: tests/%.c $(LIBRARY) $(BUILD)/flags $(BUILD)/flags-link
	$(make-tool)
$(C2C_TOOLS): $(BUILD)/tools/%: tests/%.c $(LIBRARY) $(BUILD)/flags $(BUILD)/flags-link
	$(make-tool)

$(BUILD)/fuzz/%.o: tests/fuzz/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC)$(CC) -Itests/fuzz $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(REPLAYS): $(BUILD)/fuzz/replay-%: $(BUILD)/fuzz/%.o $(FUZZ_COMMON:tests/%.c=$(BUILD)/%.o) \
		$(LIBRARY) $(BUILD)/flags-link
	$(call say,LD)$(CC) $(ALL_LDFLAGS) -o $@ $(filter-out %/flags-link,$^) $(ALL_LIBS)

$(FUZZERS): $(BUILD)/fuzz/%: $(BUILD)/fuzz/%.o $(BUILD)/fuzz/fuzz.o $(LIBRARY) $(BUILD)/flags-link
	$(call say,LD)$(CC) $(ALL_LDFLAGS) -fsanitize=fuzzer -o $@ $(filter-out %/flags-link,$^) \
		$(ALL_LIBS)

units: $(UNITS) $(REPLAYS)

# ---- tests

PROVE = LAYOUTCHECK='$(abspath $(PROGRAM))' BUILD='$(abspath $(BUILD))' \
	prove -j '$(JOBS)' --exec tests/exec

# prove passes when it is given nothing to run.
define some
	@test -n '$(strip $(1))' || { echo 'there are no tests in $(2)' >&2; exit 1; }
endef

check: check-tools $(PROGRAM) $(HELPERS) $(UNITS) $(REPLAYS)
	$(call some,$(UNITS) $(CLI_TESTS),tests/unit and tests/cli)
	@$(PROVE) $(LINT_TESTS) $(CLI_TESTS) $(UNITS) $(REPLAYS)

check-tools:
	@./probe need build test

# Without what has nothing to do with the flags, the lints and the tests of the build itself, and
# what a sanitizer cannot be with: memory.t and changing.t preload functions of their own.
PROGRAM_TESTS = $(filter-out $(addprefix tests/cli/,bootstrap.t changing.t harness.t install.t memory.t),$(CLI_TESTS))
check-programs: check-tools $(PROGRAM) $(HELPERS) $(UNITS) $(REPLAYS)
	$(call some,$(UNITS) $(PROGRAM_TESTS),tests/unit and tests/cli)
	@$(PROVE) $(PROGRAM_TESTS) $(UNITS) $(REPLAYS)

# clang's sees pointers that wrap, and what is added to NULL, where gcc's does not.
SANITIZE = -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
check-asan:
	$(MAKE) BUILD=build/asan CC=clang HARDEN= HARDEN_LD= CPPFLAGS=-D__SANITIZE_ADDRESS__ \
		CFLAGS='-O1 -g $(SANITIZE)' check-programs

check-threads: check-tools $(PROGRAM)
	@./probe need kernel
	$(MAKE) BUILD=build/threads CC=clang HARDEN= HARDEN_LD= CFLAGS='-O1 -g -fsanitize=thread' \
		all build/threads/tests/insn_threads
	@LAYOUTCHECK='$(abspath build/threads/layoutcheck)' BUILD=build/threads prove --exec tests/exec $(wildcard tests/threads/*.t)

check-random: check-tools $(PROGRAM)
	LAYOUTCHECK='$(abspath $(PROGRAM))' tests/random/compare 2000 $(SEED)
	LAYOUTCHECK='$(abspath $(PROGRAM))' tests/random/edits 300 $(SEED)

check-kernel: check-tools $(PROGRAM) $(UNITS) $(KERNEL_TOOLS)
	@./probe need kernel
	$(call some,$(KERNEL_TESTS),tests/kernels)
	@$(PROVE) $(KERNEL_TESTS)

check-kernels-all: check-tools $(PROGRAM) $(KERNEL_TOOLS)
	@./probe need kernel
	@KERNELS=all $(PROVE) tests/kernels/machines.t tests/kernels/packs.t

check-user-packs: check-tools $(PROGRAM)
	$(call some,$(USER_TESTS),tests/user)
	@$(PROVE) $(USER_TESTS)

check-languages: check-tools $(PROGRAM)
	@./probe need lang
	$(call some,$(LANGUAGE_TESTS),tests/languages)
	@$(PROVE) $(LANGUAGE_TESTS)

check-c2c: check-tools $(PROGRAM) $(C2C_TOOLS)
	@./probe need kernel perf
	$(call some,$(C2C_TESTS),tests/c2c)
	@$(PROVE) $(C2C_TESTS)

check-record: check-tools $(PROGRAM) $(HELPERS)
	@./probe need kernel record
	$(call some,$(RECORD_TESTS),tests/record)
	@$(PROVE) $(RECORD_TESTS)

check-browser: check-tools $(PROGRAM)
	@./probe need browser
	$(call some,$(BROWSER_TESTS),tests/browser)
	@$(PROVE) $(BROWSER_TESTS)

check-history: check-tools $(PROGRAM)
	HISTORY=full $(PROVE) tests/cli/history.t

ENGINE = libfuzzer
FUZZ_CC_libfuzzer = clang
FUZZ_CC_afl = afl-clang-fast
FUZZ_CFLAGS_libfuzzer = -fsanitize=fuzzer-no-link
fuzz: check-tools
	@./probe need fuzz
	@$(MAKE) BUILD=build/fuzz-$(ENGINE) CC='$(FUZZ_CC_$(ENGINE))' HARDEN= HARDEN_LD= \
		CFLAGS='-O1 -g $(FUZZ_CFLAGS_$(ENGINE)) $(SANITIZE)' fuzzers
	@BUILD='$(abspath build/fuzz-$(ENGINE))' ENGINE='$(ENGINE)' tests/fuzz/run \
		'$(or $(FUZZ_SECONDS),60)' $(or $(ONLY),$(FUZZ_NAMES))

fuzz-coverage:
	@./probe need fuzz
	@$(MAKE) BUILD=build/coverage CC=clang HARDEN= HARDEN_LD= \
		CFLAGS='-O1 -g -fprofile-instr-generate -fcoverage-mapping' replays \
		build/coverage/tools/c2c/record
	@BUILD='$(abspath build/coverage)' tests/fuzz/coverage $(FUZZ_NAMES)

replays: $(REPLAYS)

fuzzers: $(FUZZERS) $(BUILD)/tools/c2c/record

reports: check-tools $(PROGRAM)
	LAYOUTCHECK='$(abspath $(PROGRAM))' tests/reports.sh reports

FORMATS_TESTS = $(shell grep -lE '^\. .*/rows\.sh"$$' $(CLI_TESTS) $(LANGUAGE_TESTS))
formats: check-tools $(PROGRAM)
	LAYOUTCHECK='$(abspath $(PROGRAM))' BUILD='$(abspath $(BUILD))' \
		tests/formats.sh $(or $(TESTS),$(FORMATS_TESTS))

# With tools that only those who change the code need.
lint: $(BUILD)/config.mk
	@./probe need build test lint
	@prove --timer --exec tests/exec $(LINT_TESTS) $(LINT_TOOLS)

# ---- times

BENCH = $(BUILD)/bench
BENCH_TOOLS = $(addprefix $(BENCH)/,run touch pread libdw libdwarf repeat fdbench layouts)
$(BENCH)/touch $(BENCH)/pread: bench/section.c bench/section.h
$(BENCH)/touch $(BENCH)/pread: BENCH_LIBS = bench/section.c -lelf
$(BENCH)/fdbench $(BENCH)/layouts: BENCH_LIBS = -lpthread
$(BENCH)/libdw: BENCH_LIBS = -ldw
$(BENCH)/libdwarf: BENCH_LIBS = $(LIB_LIBS)
$(BENCH_TOOLS): $(BENCH)/%: bench/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $< $(BENCH_LIBS)

bench-tools:
	@./probe need kernel bench

bench: bench-tools $(PROGRAM) $(BENCH_TOOLS)
	@LAYOUTCHECK='$(abspath $(PROGRAM))' TOOLS='$(BENCH)' bench/table $(VMLINUX)

# ---- the rest

install: $(PROGRAM) $(HELPERS)
	$(INSTALL) -d $(DESTDIR)$(BINDIR) $(DESTDIR)$(MANDIR)/man1 $(DESTDIR)$(MANDIR)/man5 \
		$(DESTDIR)$(HELPERDIR) $(DESTDIR)$(INCLUDEDIR)
	$(INSTALL) -m 755 $(PROGRAM) $(DESTDIR)$(BINDIR)/layoutcheck
	$(INSTALL) -m 755 $(HELPERS) $(DESTDIR)$(HELPERDIR)
	$(INSTALL) -m 644 $(wildcard include/*.h) $(DESTDIR)$(INCLUDEDIR)
	$(INSTALL) -m 644 $(wildcard man/*.1) $(DESTDIR)$(MANDIR)/man1
	$(INSTALL) -m 644 $(wildcard man/*.5) $(DESTDIR)$(MANDIR)/man5
	cd rules && find . -name '*.yaml' -o -name '*.json' | while read -r file; do \
		$(INSTALL) -D -m 644 "$$file" "$(DESTDIR)$(RULESDIR)/$$file" || exit 1; \
	done

uninstall:
	rm -f $(DESTDIR)$(BINDIR)/layoutcheck
	rm -f $(patsubst man/%,$(DESTDIR)$(MANDIR)/man1/%,$(wildcard man/*.1))
	rm -f $(patsubst man/%,$(DESTDIR)$(MANDIR)/man5/%,$(wildcard man/*.5))
	rm -f $(patsubst include/%,$(DESTDIR)$(INCLUDEDIR)/%,$(wildcard include/*.h))
	rm -rf $(DESTDIR)$(RULESDIR) $(DESTDIR)$(HELPERDIR)

clean:
	rm -rf build layoutcheck

.PHONY: all units check check-tools check-programs check-asan check-threads check-random check-kernel check-kernels-all check-user-packs check-languages check-c2c check-record check-browser check-history fuzz fuzz-coverage fuzzers replays reports formats lint \
	bench bench-tools install uninstall clean FORCE
.SECONDARY:
-include $(OBJS:.o=.d) $(PLUGIN_OBJS:.o=.d) $(MAIN:.o=.d) $(UNITS:=.d) $(UNIT_LIB:.o=.d) $(KERNEL_TOOLS:=.d) $(C2C_TOOLS:=.d) $(wildcard $(BUILD)/fuzz/*.d)
