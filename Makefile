# `make help` lists the targets.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := build

STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
NFPM := github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.43.4
PREFIX ?= /usr/local
DESTDIR ?=
PROGRAM ?= bin/archivestream
FUZZTIME ?= 30s
TIMES ?= 20
KEEP ?= 0

# bin/archivestream is all programs; bin/NAME are links to it, by which each is called.
mains := $(patsubst %/main.go,%,$(wildcard mappers/*/main.go reducers/*/main.go jobs/*/main.go))
links := $(addprefix bin/,$(filter-out archivestream,$(notdir $(mains))))
tools := $(addprefix build/tools/,$(notdir $(patsubst %/main.go,%,$(wildcard scripts/*/main.go))))
sources := go.mod go.sum $(shell find lib jobs/archivestream -type f ! -name '*_test.go' ! -path '*/testdata/*')
version = $(shell git describe --tags --always --dirty 2>/dev/null || echo unversioned)
go_build = go build -trimpath -buildvcs=false -tags urfave_cli_no_docs$(TAGS) -ldflags '-s -w -X archivestream/lib/stage.Version=$(version)'

export CGO_ENABLED := 0

## build          the programs, in bin/ (the default): one, static, and links to it
.PHONY: build
build: bin/archivestream $(links)

bin/archivestream: $(sources)
	@mkdir -p bin
	$(go_build) -o $@ ./jobs/archivestream
	@touch $@

# A link is as old as what it leads to. What is no program any more goes.
$(links) &: bin/archivestream
	@find bin -mindepth 1 -maxdepth 1 ! -name archivestream -delete
	@cd bin && for link in $(notdir $(links)); do ln -s archivestream "$$link"; done

## tools          what makes corpora, documents and graphs for tests and benchmarks, in
##                build/tools/
.PHONY: tools
tools: $(tools)

$(tools) &: $(sources) $(wildcard scripts/*/*.go)
	@mkdir -p build/tools
	$(go_build) -o build/tools/ $(addprefix ./scripts/,$(notdir $(tools)))
	@touch $(tools)

## install        the programs, jobs, manual pages and completions, below PREFIX (default
##                /usr/local), itself below DESTDIR where that is given
.PHONY: install
install: $(PROGRAM)
	scripts/install.sh '$(PROGRAM)' '$(DESTDIR)' '$(PREFIX)'

## uninstall      remove what install has put there
.PHONY: uninstall
uninstall:
	scripts/install.sh --remove '$(DESTDIR)' '$(PREFIX)'

## dist           tarballs and packages (.deb, .rpm) for linux/amd64 and linux/arm64, in
##                build/dist/
.PHONY: dist
dist:
	NFPM='$(NFPM)' scripts/dist.sh

## test           build and run the tests; what needs Hadoop, Python or real data
##                is skipped, and counted, where these are not there
.PHONY: test
test: build tools
	scripts/test.sh ./...

## test-buffers   the tests, in programs as well, with each buffer filled when it is given
##                back (lib/buffers); bin/ is built for them, and again after them
.PHONY: test-buffers
test-buffers:
	$(MAKE) --always-make build TAGS=,spoil
	status=0; scripts/test.sh -tags spoil ./... || status=$$?; $(MAKE) --always-make build; exit $$status

## test-long      the join against the comparison of all pairs, on TIMES (default 20)
##                times as many collections as in make test
.PHONY: test-long
test-long:
	ARCHIVESTREAM_TRIALS='$(TIMES)' go test -count=1 -timeout 2h -run BruteForce -v ./lib/simjoin

## test-same      the same values on every way: as pipe and on the engine, with one and many
##                tasks and workers, on TIMES (default 300) drawn cases beginning with
##                seed FROM, or on CASE alone
.PHONY: test-same
test-same: build
	ARCHIVESTREAM_SAME_TIMES='$(if $(filter file,$(origin TIMES)),300,$(TIMES))' ARCHIVESTREAM_SAME_FROM='$(FROM)' ARCHIVESTREAM_SAME_CASE='$(CASE)' \
		scripts/test.sh -timeout 12h -run '^TestSame$$' ./jobs

## test-load      the tests TIMES (default 20) times beside a load of four busy processes
.PHONY: test-load
test-load: build tools
	scripts/test-load.sh --times '$(TIMES)'

## test-race      the race detector over all packages, pipes and drawn cases; part of
##                it with PART=--part
.PHONY: test-race
test-race:
	scripts/test-race.sh $(PART)

## test-real      what holds on any crawl files, those below a folder: make test-real
##                DATA=FOLDER. Differences from other tools are told, and fail where
##                FOLDER/differences.tsv lists the known ones (lib/realdata/realdata.go)
.PHONY: test-real
test-real: build
	@test -n '$(DATA)' || { echo 'make test-real DATA=FOLDER' >&2; exit 2; }
	@mkdir -p build && rm -f build/truth.txt build/told.tsv && touch build/truth.txt build/told.tsv
	status=0; ARCHIVESTREAM_DATA='$(abspath $(DATA))' ARCHIVESTREAM_REQUIRE=data \
		ARCHIVESTREAM_DIFFERENCES='$(if $(wildcard $(DATA)/differences.tsv),,tell)' ARCHIVESTREAM_TOLD='$(abspath build/told.tsv)' \
		ARCHIVESTREAM_TRUTH='$(abspath build/truth.txt)' scripts/test.sh -run '^Test(Real|Truth)[A-Z]' ./... || status=$$?; \
		cat build/truth.txt; if [[ -s build/told.tsv ]]; then \
		printf '\nvalue, place, ours and what another tool says:\n'; sort build/told.tsv; fi; exit $$status

## test-truth     every value of every job against an independent answer, on the real
##                crawl files below DATA (default: ../shared/data) and those of testdata
.PHONY: test-truth
test-truth: truth_data = $(or $(DATA),$(ARCHIVESTREAM_DATA),$(wildcard ../shared/data))
test-truth: build
	@mkdir -p build && rm -f build/truth.txt
	status=0; ARCHIVESTREAM_TRUTH='$(abspath build/truth.txt)' ARCHIVESTREAM_DATA='$(abspath $(truth_data))' \
		ARCHIVESTREAM_REQUIRE='python $(if $(truth_data),data)' scripts/test.sh -run '^TestTruth' ./jobs/truth || status=$$?; \
		cat build/truth.txt; exit $$status

## test-hadoop    the tests on a real one-node Hadoop, started for them if need be
.PHONY: test-hadoop
test-hadoop: build
	scripts/test-hadoop.sh

## lint           gofmt, go vet, staticcheck, shellcheck, shfmt
.PHONY: lint
lint:
	STATICCHECK='$(STATICCHECK)' scripts/lint.sh

## fuzz           every fuzz test for FUZZTIME (default 30s), or those in FUZZ='NAME...';
##                KEEP=N keeps N inputs of each
.PHONY: fuzz
fuzz:
	scripts/fuzz.sh --keep '$(KEEP)' '$(FUZZTIME)' $(FUZZ)

## bench          make a corpus and print the measured times side by side
.PHONY: bench
bench: build tools
	scripts/bench.sh
	scripts/bench-index.sh
	scripts/bench-derive.sh
	scripts/bench-select.sh
	scripts/bench-components.sh
	scripts/bench-mementomap.sh
	scripts/bench-summary.sh
	scripts/bench-redundancy.sh

## clean          remove what was built (not the one-node Hadoop: scripts/hadoop.sh wipe)
.PHONY: clean
clean:
	rm -rf bin build/tools

.PHONY: help
help:
	@sed -n 's/^## \{0,1\}//p' Makefile
