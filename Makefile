# What can be done here; `make` alone lists it.

PREFIX ?= /usr/local
DESTDIR ?=
ARGS ?=

SWIFT := swift
BINARY := .build/release/sheaf
# With the runtime inside it starts faster and runs where no Swift is installed; so it does with the
# C libraries, as far as the system has their archives. Nothing is looked for beside the program, and
# nothing of it is for others to link. lld takes half the time of the default linker.
ARCHIVES := .build/archives
RELEASE := -c release --static-swift-stdlib --product sheaf --disable-local-rpath \
	-Xswiftc -use-ld=lld -Xswiftc -L$(ARCHIVES) -Xlinker --no-export-dynamic
SOURCES := Sources Tests Package.swift Benchmarks/Sources Benchmarks/Package.swift

.DEFAULT_GOAL := help
.PHONY: help run demo build test mutate torture bench format lint golden docs install ci clean

help:
	@echo 'make TARGET, where TARGET is one of:'
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  \1 \2/p' $(MAKEFILE_LIST) | \
		while read -r target text; do printf '  %-9s %s\n' "$$target" "$$text"; done

run: build ## build it and open it, with ARGS='--store FILE' or whatever else it takes
	@$(BINARY) $(ARGS)

# A new copy each time, so that everything may be tried.
DEMO := .build/demo
demo: build ## build it and open it on a copy of the sample lists
	@rm -rf $(DEMO) && mkdir -p $(DEMO)
	@for list in todo.txt reading.md; do \
		$(BINARY) import --store $(DEMO)/samples.sqlite Resources/samples/$$list >/dev/null || exit; \
	done
	@$(BINARY) --store $(DEMO)/samples.sqlite $(ARGS)

build: ## build it in release mode: .build/release/sheaf
	@.ci/deps build
	@.ci/archives $(ARCHIVES)
	@$(SWIFT) build $(RELEASE)

test: ## run all tests
	@.ci/deps test
	@$(SWIFT) test

mutate: ## break Swidux in many ways and see its tests notice each
	@.ci/deps test
	@Tests/mutations.sh

# Two hours and more on two cores; RELIABILITY.md has what came of it.
torture: build ## try to lose data in every way known, for two hours
	@.ci/deps torture
	@Tests/torture/kill-loop --rounds 1000 --backend sqlite $(BINARY)
	@Tests/torture/kill-loop --rounds 200 --backend json $(BINARY)
	@Tests/torture/two-screens --rounds 200 --backend sqlite $(BINARY)
	@Tests/torture/two-screens --rounds 200 --backend json $(BINARY)
	@Tests/torture/system-calls $(BINARY)
	@Tests/torture/screen-faults $(BINARY)
	@Tests/torture/locks $(BINARY)
	@Tests/torture/disk-states $(BINARY)
	@Tests/torture/alignment $(BINARY)
	@Tests/torture/import-memory.sh $(BINARY)
	@Tests/torture/fuzz
	@SHEAF_TORTURE=1 $(SWIFT) test --no-parallel
	@Tests/torture/sanitizers

bench: ## measure Swidux and write Benchmarks/RESULTS.md
	@.ci/deps build
# Touched, because SwiftPM does not notice files that the package it depends on by path has gained.
	@touch Benchmarks/Package.swift
	@$(SWIFT) build -c release --package-path Benchmarks
	@SWIFT_VERSION="$$($(SWIFT) --version 2>/dev/null | head -n 1)" \
		Benchmarks/.build/release/SwiduxBenchmarks --output Benchmarks/RESULTS.md

format: ## format all sources in place
	@.ci/deps
	@$(SWIFT) format format --in-place --parallel --recursive $(SOURCES)

lint: ## check the format of all sources
	@.ci/deps
	@$(SWIFT) format lint --strict --parallel --recursive $(SOURCES)
# The formatter leaves comments as they are.
	@! LC_ALL=C.UTF-8 grep -rnP --include='*.swift' --include='*.[ch]' '^(?=.{101}) *//' $(SOURCES) || \
		{ echo 'Comments keep to 100 columns, as code does.' >&2; false; }

golden: ## record the golden screens anew; then read their diff
	@.ci/deps test
	@SHEAF_RECORD=1 $(SWIFT) test --filter Golden

docs: ## build the framework's documentation: .build/docs
	@.ci/deps
	@Resources/make-docs

# Nothing is built here if something has been: `sudo make install` leaves no files of root behind.
install: $(BINARY) ## install what was built, to PREFIX=/usr/local
	@install -d '$(DESTDIR)$(PREFIX)/bin'
	@install -m 755 $(BINARY) '$(DESTDIR)$(PREFIX)/bin/sheaf'

$(BINARY):
	@$(MAKE) --no-print-directory build

# One after the other, however many jobs make may run.
ci: ## what CI runs: lint, build, test
	@$(MAKE) --no-print-directory lint
	@$(MAKE) --no-print-directory build
	@$(MAKE) --no-print-directory test

clean: ## remove what was built
	@.ci/deps
	@$(SWIFT) package clean
