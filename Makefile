# SPDX-License-Identifier: GPL-2.0-or-later
# make [DEV=1]; make check; make install PREFIX= DESTDIR=
PREFIX ?= /usr/local
CFLAGS ?= -O2 -g
CC ?= cc

PKGS    = libelf libbpf yaml-0.1 jansson libzstd zlib libmd
LIBS    = -ldwarf $(shell pkg-config --libs $(PKGS)) -lpthread
ALL_CPPFLAGS = -Isrc -I/usr/include/libdwarf -D_GNU_SOURCE $(CPPFLAGS)
ALL_CFLAGS   = -std=c11 -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
	$(shell pkg-config --cflags $(PKGS)) $(CFLAGS)
ifdef DEV
ALL_CFLAGS += -Werror
endif

BUILD   = build
ROOMS   = base layout elf dwarf btf rule report cli
SRCS    = $(foreach room,$(ROOMS),$(wildcard src/$(room)/*.c))
OBJS    = $(SRCS:src/%.c=$(BUILD)/%.o)
MAIN    = $(BUILD)/layoutcheck.o
UNITS   = $(patsubst tests/unit/%.c,$(BUILD)/tests/%,$(wildcard tests/unit/*.c))

all: layoutcheck

layoutcheck: $(MAIN) $(OBJS)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

$(BUILD)/liblayoutcheck.a: $(OBJS)
	rm -f $@ && ar rcs $@ $^

$(BUILD)/%.o: src/%.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -MMD -c -o $@ $<

$(BUILD)/tests/%: tests/unit/%.c $(BUILD)/liblayoutcheck.a
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) -Itests/unit $(ALL_CFLAGS) $(LDFLAGS) -MMD -o $@ $< $(BUILD)/liblayoutcheck.a $(LIBS) -lcmocka

units: $(UNITS)

check: layoutcheck $(UNITS)
	prove -Q --exec '' $(UNITS)

clean:
	rm -rf $(BUILD) layoutcheck

.PHONY: all units check clean
-include $(OBJS:.o=.d) $(MAIN:.o=.d) $(UNITS:=.d)
