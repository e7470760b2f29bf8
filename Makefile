# `make` alone lists the targets.

PREFIX ?= /usr/local
DESTDIR ?=
ARGS ?=
ONLY ?=

SWIFT := swift
BINARY := .build/release/sheaf
# The one place of the version.
VERSION := $(shell sed -n 's/.*let number = "\(.*\)"/\1/p' Sources/sheaf/Commands/Version.swift)
# For --version: the commit, with a plus sign if the sources differ from it. Empty without git.
COMMIT = $(shell commit=$$(git rev-parse --short=12 HEAD 2>/dev/null) && \
	echo "$$commit$$(git diff --quiet HEAD -- Sources Package.swift || echo +)")
# With the runtime inside it starts faster and runs where no Swift is installed; so it does with the
# C libraries, as far as the system has their archives. Nothing is looked for beside the program, and
# nothing of it is for others to link. lld takes half the time of the default linker. A build id would
# differ with the folder, and strip loses the read-only relocations if it takes one out.
ARCHIVES := .build/archives
# With colors in a terminal and none elsewhere, each would build all that the other has built.
RELEASE := -c release --no-color-diagnostics --static-swift-stdlib --product sheaf --disable-local-rpath \
	-Xswiftc -use-ld=lld -Xswiftc -L$(ARCHIVES) -Xlinker --no-export-dynamic \
	-Xlinker --build-id=none
SOURCES := Sources Tests Package.swift Benchmarks/Sources

.DEFAULT_GOAL := help
.PHONY: help run demo build test outsider mutate torture bench format lint golden screenshots docs man \
	install uninstall deb tarball packages release ci clean

help:
	@echo 'make TARGET, where TARGET is one of:'
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  \1 \2/p' $(MAKEFILE_LIST) | \
		while read -r target text; do printf '  %-9s %s\n' "$$target" "$$text"; done

run: build ## build and open Sheaf, with options such as ARGS='--store FILE'
	@$(BINARY) $(ARGS)

# A new copy each time, so that nothing you try there lasts.
DEMO := .build/demo
demo: build ## build and open Sheaf on a copy of the sample lists
	@rm -rf $(DEMO) && mkdir -p $(DEMO)
	@for list in todo.txt reading.md; do \
		Resources/samples/shifted Resources/samples/$$list >$(DEMO)/$$list && \
			$(BINARY) import --store $(DEMO)/samples.sqlite $(DEMO)/$$list >/dev/null || exit; \
	done
	@$(BINARY) --store $(DEMO)/samples.sqlite $(ARGS)

build: ## build Sheaf in release mode: .build/release/sheaf
	@.ci/deps build
	@.ci/archives $(ARCHIVES)
	@SHEAF_COMMIT='$(COMMIT)' $(SWIFT) build $(RELEASE)

# Tests that need PostgreSQL or strace are skipped and counted where those are missing.
test: ## run all tests, or those that match ONLY='REGEX'
	@.ci/deps test
	@$(SWIFT) build --build-tests
	@Tests/run $(if $(ONLY),'$(ONLY)')

# Half a minute on two cores.
outsider: ## build a package that uses Swidux alone, as others do
	@.ci/deps
	@Tests/outsider

mutate: ## check that the tests notice deliberate faults; ONLY=TARGET for one target
	@.ci/deps ci
	@Tests/mutations.sh $(if $(ONLY),-o $(ONLY))

# Three hours and more on two cores; RELIABILITY.md has the results.
torture: build ## try to make Sheaf lose data, for three hours
	@.ci/deps torture
	@Tests/torture/kill-loop --rounds 1000 --backend sqlite $(BINARY)
	@Tests/torture/kill-loop --rounds 200 --backend json $(BINARY)
	@Tests/torture/two-screens --rounds 200 --backend sqlite $(BINARY)
	@Tests/torture/two-screens --rounds 200 --backend json $(BINARY)
	@Tests/torture/server-screens --rounds 300 $(BINARY)
	@Tests/torture/server-screens --rounds 100 --lagging $(BINARY)
	@Tests/torture/system-calls $(BINARY)
	@Tests/torture/screen-faults $(BINARY)
	@Tests/torture/locks $(BINARY)
	@Tests/torture/disk-states $(BINARY)
	@Tests/torture/split-keys $(BINARY)
	@Tests/torture/alignment $(BINARY)
	@Tests/torture/import-memory.sh $(BINARY)
	@Tests/torture/fuzz
	@SHEAF_TORTURE=1 $(SWIFT) test --no-parallel
	@Tests/torture/sanitizers

# Half an hour on two cores, most of it at a million items.
REPORTS := .build/bench
bench: build ## measure Swidux and Sheaf, and write Benchmarks/RESULTS.md
	@.ci/deps bench
	@mkdir -p $(REPORTS)
# In a folder of its own, because `make build` has other options.
	@for program in SwiduxBenchmarks FindBenchmarks; do \
		$(SWIFT) build -c release --scratch-path Benchmarks/.build --product $$program || exit; \
	done
	@SWIFT_VERSION="$$($(SWIFT) --version 2>/dev/null | head -n 1)" \
		Benchmarks/.build/release/SwiduxBenchmarks --output $(REPORTS)/framework.md
	@Benchmarks/.build/release/FindBenchmarks --output $(REPORTS)/finding.md
	@Benchmarks/terminal $(BINARY)
	@Benchmarks/results $(REPORTS)

format: ## format all sources in place
	@.ci/deps
	@$(SWIFT) format format --in-place --parallel --recursive $(SOURCES)

lint: ## check the format of all sources
	@.ci/deps
	@$(SWIFT) format lint --strict --parallel --recursive $(SOURCES)
# The formatter does not wrap comments.
	@! LC_ALL=C.UTF-8 grep -rnP --include='*.swift' --include='*.[ch]' '^(?=.{101}) *//' $(SOURCES) || \
		{ echo 'Comments keep to 100 columns, like code.' >&2; false; }
# A comment names the subject and the actor.
	@! grep -rnE --include='*.swift' \
		'^ *///? (What|So many|As many|The same of) |^ *//.*\<(nobody|somebody|whoever|anew)\>' $(SOURCES) || \
		{ echo 'Say it in plain English: CONTRIBUTING.md, "Commits and words".' >&2; false; }
	@Tests/mutations.sh --check

golden: ## record the golden screens again; read their diff before you commit
	@.ci/deps test
	@$(SWIFT) build --build-tests
	@SHEAF_RECORD=1 Tests/run '^SheafTUITests\.'

screenshots: ## draw the README's pictures of the screen again
	@.ci/deps test
	@$(SWIFT) build --build-tests
	@SHEAF_RECORD=1 Tests/run '^SheafTUITests\.ScreenPictureTests'

docs: ## build the framework's documentation: .build/docs
	@.ci/deps
	@Resources/make-docs

man: ## write the man pages again, from the help of the commands and the keymap
	@.ci/deps test
	@$(SWIFT) build --build-tests
	@SHEAF_RECORD=1 Tests/run '^SheafTests\.ManPageTests'

# An existing build is not renewed, so that `sudo make install` leaves no files of root's.
install: $(BINARY) ## install program, man pages, completions and guide to PREFIX=/usr/local
	@.ci/install $(BINARY) '$(DESTDIR)$(PREFIX)'

uninstall: ## remove what install has installed
	@.ci/install --remove '$(DESTDIR)$(PREFIX)'

$(BINARY):
	@$(MAKE) --no-print-directory build

# The time of the commit is the time of every file in them, so that two builds of a commit are equal.
PACKAGES := .build/packages
EPOCH = $(or $(SOURCE_DATE_EPOCH),$(shell git log -1 --format=%ct))

deb: build ## build the Debian package: .build/packages/sheaf_VERSION_ARCHITECTURE.deb
	@.ci/deps deb
	@mkdir -p $(PACKAGES)
	@SOURCE_DATE_EPOCH=$(EPOCH) .ci/deb $(VERSION) $(BINARY) $(PACKAGES)

tarball: build ## build an archive with an installer, for Linux without Debian's packages
	@mkdir -p $(PACKAGES)
	@SOURCE_DATE_EPOCH=$(EPOCH) .ci/tarball $(VERSION) $(BINARY) $(PACKAGES)

# Root makes a bare Debian for it, two minutes the first time.
packages: deb tarball ## build both, check them, and try them in a bare Debian
	@.ci/deps packages
	@Tests/packages/check $(PACKAGES)/sheaf_$(VERSION)_*.deb
	@Tests/packages/bare-debian $(PACKAGES)/sheaf_$(VERSION)_*.deb $(PACKAGES)/sheaf-$(VERSION)-*.tar.gz

release: ## check everything, build what is released, and print the tag to set
	@.ci/release $(VERSION) $(PACKAGES)

# One after the other, even with several jobs.
ci: ## what CI runs: lint, build, outsider, test
	@$(MAKE) --no-print-directory lint
	@$(MAKE) --no-print-directory build
	@$(MAKE) --no-print-directory outsider
	@.ci/deps ci
	@SHEAF_REQUIRE_TOOLS=1 $(MAKE) --no-print-directory test

clean: ## remove all build products
	@.ci/deps
	@$(SWIFT) package clean
