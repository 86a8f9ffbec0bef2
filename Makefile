# What one types from day to day. `./bootstrap TARGET` installs what is missing first.
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local

.PHONY: build demo install package fresh-package test test-more test-slow torture mutants faults seeds bench live live-oldest fidelity fuzz format lint fresh debug asan clean

build:                  ## the command, in build/wavewright
	@cmake --preset release -DWAVEWRIGHT_TESTS=OFF >/dev/null
	@cmake --build build --target wavewright -j $(JOBS)

demo: build             ## import the bundled histories, predict, plan, simulate, write the report
	@examples/demo build/wavewright

install: build          ## the command and the library, to PREFIX (default /usr/local)
	@cmake --build build -j $(JOBS)
	@cmake --install build --prefix $(PREFIX)

package: build          ## Debian packages: build/wavewright_*.deb and build/wavewright-dev_*.deb
	@cmake --build build -j $(JOBS)
	@cd build && cpack

test:                   ## every test but the slow ones: release, then the sanitizers
	@tools/run-tests

test-more:              ## what continuous integration runs beside it: Debian packages, all pages by axe-core, grids of plans, torn imports; commands and hostile input under the sanitizers
	@tools/run-tests more

test-slow:              ## tests of minutes each on a real Hadoop: the plug-in, feedback, pools, placers, energy, engine, Kerberos, pairs; half an hour
	@tools/run-tests slow

torture: build          ## imports killed fifty times a database, full disks, lost servers; a million schedules of live batches; mistakes in their driver; ten minutes a fuzz target; hours
	@tools/torture build/wavewright --kills 50
	@cmake --preset release -DWAVEWRIGHT_TESTS=ON >/dev/null
	@cmake --build build -j $(JOBS) --target test_live
	@tools/schedules --count 1000000 --write docs/measured/schedules.md
	@tools/mutants tests/live/mutants/driver.toml
	@tools/fuzz 600
	@tools/run-tests sanitized

mutants:                ## mistakes in live batches, promises, RTMR, EFH and the order of jobs, one at a time: the tests must find them; some four hours on two processors, with a second build (build-apart)
	@cmake --preset release -DWAVEWRIGHT_TESTS=ON >/dev/null
	@cmake --build build -j $(JOBS) --target test_live test_realtime
	@tools/mutants tests/live/mutants/driver.toml tests/live/mutants/promises.toml tests/live/mutants/outlook.toml tests/realtime/mutants/rtmr.toml tests/realtime/mutants/containers.toml
	@cmake --preset release -B build-apart -DWAVEWRIGHT_TESTS=ON -DWAVEWRIGHT_UNITY=OFF >/dev/null
	@cmake --build build-apart -j $(JOBS) --target test_energy test_sched
	@tools/mutants --build build-apart tests/energy/mutants/efh.toml tests/sched/mutants/order_tree.toml tests/sched/mutants/matchmaking.toml

faults: build           ## a daemon on a real Hadoop, killed and cut off in nine ways, 20 jobs on YARN each: an hour and a quarter; one at a time with tools/live-faults
	@tools/live-faults --write docs/measured/live-faults.md

seeds:                  ## the property tests with random seeds, a minute
	@cmake --preset release -DWAVEWRIGHT_TESTS=ON >/dev/null
	@cmake --build build -j $(JOBS)
	@tools/seeds 60

bench:                  ## speed, as ratios against rivals in the same run; a live batch and its API under load (bench/live, 20 minutes)
	@bench/run --write docs/measured/speed.md
	@bench/live --write docs/measured/live.md

live: build             ## on a real YARN: the plug-in's caps; --engine yarn at length; a batch of real jobs as submitted and as planned, beside what was expected: two hours
	@tests/scripts/yarn_plugin_test build/wavewright . --write docs/measured/live-caps.md
	@bench/engine --write docs/measured/engine.md
	@tools/deadline-runs --write docs/measured/live-deadlines.md
	@tools/live-batches --write docs/measured/live-batches.md

live-oldest: build      ## the plug-in on Hadoop 3.3.0, the oldest of 3.3: its unit tests, then in a real ResourceManager; fetches the jars
	@mvn -q -B -f plugins/yarn/pom.xml package -Dhadoop.version=3.3.0 -DbuildDirectory=$(CURDIR)/build/plugins/yarn-3.3
	@tests/scripts/yarn_plugin_test build/wavewright . --hadoop 3.3.0 --write docs/measured/live-caps-3.3.md

fidelity: build         ## predictions and simulations against runs on real Hadoops that they know nothing of
	@tools/fidelity --write docs/measured/fidelity.md
	@tools/fidelity-batches --write docs/measured/fidelity-batches.md
	@tools/compare-sls --write docs/measured/hadoop-sls.md

fuzz:                   ## mutated bytes at every reader, 20 seconds each
	@tools/fuzz

format:                 ## rewrite the sources in the project's format
	@tools/format

lint:                   ## formatting, warnings of clang-tidy, scripts
	@tools/lint

fresh:                  ## the README's two commands in a clean Debian root
	@tools/fresh

fresh-package: package  ## those packages installed, used and removed in a clean Debian root
	@tools/fresh-package build

debug asan: %:          ## a build to debug with
	@cmake --preset $(if $(filter asan,$@),sanitizers,debug) >/dev/null
	@cmake --build --preset $(if $(filter asan,$@),sanitizers,debug) -j $(JOBS)

clean:
	@rm -rf build build-*

help:                   ## this list
	@sed -n 's/^\([a-z ]*\):.*## /\1\t/p' Makefile
