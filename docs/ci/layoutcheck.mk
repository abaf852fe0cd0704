# SPDX-License-Identifier: GPL-2.0-or-later
#
# Layout rules in a project that is built by GNU make. Copy this file, and write into the Makefile,
# behind the rule that builds the image:
#
#	LAYOUT_IMAGE = app
#	include layoutcheck.mk
#	check: layout-check
#
#	make layout-check	judges the rules; fails when one is broken
#	make layout-diff	what changed since the baseline
#	make layout-baseline	takes the layouts of now as the baseline, to commit
#
# The image needs debug information (-g), or BTF. What is not there below layout/ is not used, but
# for the rules.
LAYOUTCHECK     ?= layoutcheck
LAYOUT_RULES    ?= layout/rules
LAYOUT_BASELINE ?= layout/baseline.json
LAYOUT_WAIVERS  ?= $(wildcard layout/waivers.yaml)
LAYOUT_FLAGS    ?=

layout_flags = $(addprefix -r ,$(LAYOUT_RULES)) $(addprefix --waivers ,$(LAYOUT_WAIVERS)) \
	$(LAYOUT_FLAGS)

.PHONY: layout-check layout-diff layout-baseline

layout-check: $(LAYOUT_IMAGE)
	$(LAYOUTCHECK) check $(addprefix --baseline ,$(wildcard $(LAYOUT_BASELINE))) \
		$(layout_flags) $(LAYOUT_IMAGE)

layout-diff: $(LAYOUT_IMAGE)
	$(LAYOUTCHECK) diff $(layout_flags) $(LAYOUT_BASELINE) $(LAYOUT_IMAGE)

layout-baseline: $(LAYOUT_IMAGE)
	mkdir -p $(dir $(LAYOUT_BASELINE))
	$(LAYOUTCHECK) snapshot $(addprefix -r ,$(LAYOUT_RULES)) -o $(LAYOUT_BASELINE) \
		$(LAYOUT_IMAGE)
