# The targets need Go. The page of the console and the end-to-end tests also need Node 20 and Chromium, which the tests install
# if it is missing. `make test` runs all tests.

GO       ?= go
# All targets compile with the flags of the released binary, so that they share the build cache.
export GOFLAGS := $(shell $(GO) env GOFLAGS) -trimpath
# Compilers, linters and tests of packages run with a garbage collector that lets the heap grow to five times of what is in use: it
# saves a fifth of their CPU time, and one process takes up to 2 GB. Servers in end-to-end tests keep the default.
GOLAZY   := GOGC=400 $(GO)
# The same for tests, whose temporary folders are in memory where there is room: many of them write and sync while compilers write, too.
IN_MEMORY := GOGC=400 scripts/tmp-in-memory.sh $(GO)
TOOL     := $(GOLAZY) tool -modfile=tools/go.mod
FUZZTIME ?= 10s
BIN      := bin/truestep
PROJECT  ?= $(or $(TRUESTEP_RCCE_PROJECT),../shared/rcce-project)

# Packages that other projects import: their exported functions need no caller in this repository. Any other function without a
# caller is dead code.
LIBRARY  := ^(proto|interest|sim|client)/.*unreachable func: ([A-Z][A-Za-z0-9]*\.)?[A-Z]

.PHONY: help build quick test unit golden lint fuzz bench bench-rs bench-rs-peers bench-web-peers bench-bedrock bench-brief e2e-rcce e2e-rs e2e-bedrock clean
.PHONY: console console-check e2e e2e-lib e2e-world e2e-console

help: ## what can be made
	@awk -F':.*## ' '/^[a-z0-9-]+:.*## /{printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: ## the binary, bin/truestep
	$(GOLAZY) build -ldflags "-X main.commit=$(shell git rev-parse HEAD 2>/dev/null)" -o $(BIN) ./cmd/truestep

# build comes first, because go commands that run at the same time with an empty build cache compile the same packages each. What
# the tests need is downloaded and installed meanwhile. Then come all checks that compute. The soaks are alone: on a busy machine the
# goroutines of one moment run in another order each time, so that other packets of their clients are lost. The end-to-end tests mostly
# wait, but their servers, clients and browsers must not: beside them run only the idle checks, on processor time that is left over.
# The exception is e2e-console-pages, which looks at pages that stand still.
test: ## everything, in less than 15 minutes on 2 cores
	$(MAKE) --no-print-directory -j2 -Otarget build installs
	$(MAKE) --no-print-directory -j3 -Otarget unit-plain unit-race console-check page-check unit-race-servers e2e-console-pages
	$(MAKE) --no-print-directory soak-brief
	$(MAKE) --no-print-directory -j2 e2e idle-checks

.PHONY: idle-checks
idle-checks: ## lint and golden with idle priority
	scripts/idle-priority.sh $(MAKE) --no-print-directory lint golden

.PHONY: installs
installs: postgres ## PostgreSQL, Chromium and the npm packages of the end-to-end tests
	$(NODE20)
	node e2e/bedrock/setup.mjs
	node e2e/console/setup.mjs
	node e2e/web/setup.mjs

# Tests run with -vet=off, because quick and lint run go vet as a step of its own. Without the flag each package would be vetted
# twice, and for the race detector a third time.
quick: ## build, vet and short tests, for use while editing; under 90 s on 2 cores with a warm build cache
	$(GOLAZY) build ./...
	$(GOLAZY) vet ./...
	$(GOLAZY) test -short -vet=off -skip $(BUILDS) ./...

# The race detector instruments this module, the standard library and all dependencies except these packages, which only
# compute: SQLite (translated from C; its pointer checks took a third of the CPU time of unit), elliptic curves and compression.
# A package that contains instances of generic functions of the standard library, such as those of sync.Map, must not be listed:
# the linker may use these instances for the whole program, and the detector would not see the synchronization in them.
UNRACED := modernc.org/sqlite/lib modernc.org/libc modernc.org/memory crypto/internal/fips140/nistec/... github.com/klauspost/compress/flate
# Packages whose tests unit runs with the race detector, which takes three to ten times as long: those that goroutines of several
# doors or areas use. The first are those that take longest. make race runs all tests with it.
RACED  := ./server ./session ./console/... ./journal ./cluster/link . ./admission ./area ./chatlog ./gateway ./internal/netsim ./store/ledger ./telemetry ./webhook
# Tests of whole servers with clients of every protocol, which unit runs with the race detector too: they run the doors and their sockets.
RACED_SERVERS := PlayersOfAllProtocolsSeeEachOther|HostileSessions|ReloadDuringFight|ReconnectOverAnyProtocol
# A test that compiles the program once more with another rule, which takes a minute; golden runs it.
BUILDS := TapeBisectFindsFirstTick
# Three packages at a time, because some tests wait for PostgreSQL and sockets. The time limit of a package is longer than that of go
# test, 10 min: the longest takes 4 min on 2 cores without other load.
RACE   := $(IN_MEMORY) test -p 3 -timeout 20m -race -shuffle=on -vet=off $(UNRACED:%=-gcflags=%=-race=false)
unit: unit-plain unit-race unit-race-servers ## all Go tests in random order and every benchmark once; RACED with the race detector

.PHONY: unit-plain unit-race unit-race-servers race postgres
postgres:
	@scripts/need-postgres.sh

# The packages whose tests take longest, some of them waiting: unit-plain begins with them, so that it does not end with them alone.
LONGEST := ./store/postgres ./cmd/truestep ./cluster ./gateway/bedrock ./store/sqlite ./gateway/rcce ./gateway/rs
# Tests and benchmarks of a package, so that each test program is linked once.
WITH_BENCHMARKS := -exec '$(CURDIR)/scripts/with-benchmarks.sh'

unit-plain: postgres
	$(IN_MEMORY) test -shuffle=on -vet=off -skip 'Soak|$(BUILDS)' $(WITH_BENCHMARKS) $(LONGEST) $$($(GO) list ./... | grep -vxF "$$($(GO) list $(RACED))")

unit-race: postgres
	$(RACE) $(WITH_BENCHMARKS) $(RACED)

# test starts it after unit-race has compiled most of the packages for the race detector.
unit-race-servers:
	$(RACE) -run '$(RACED_SERVERS)' ./internal/oneworld
	$(RACE) -run Clone ./sim

race: postgres ## all Go tests in random order with the race detector; 15 min on 2 cores
	$(RACE) ./...

golden: ## the replay hashes on the third level of amd64, long tests of areas, and the test that compiles the program once more
	GOAMD64=v3 $(GOLAZY) test -vet=off -count=1 -run 'Golden|Replay' ./sim
	$(GOLAZY) test -vet=off -count=1 -run 'CrashesNeither|DiskLosesSyncedTicks' ./area
	$(GOLAZY) test -vet=off -count=1 -run $(BUILDS) ./cmd/truestep

.PHONY: flips
FLIPS ?= 7
flips: ## a bit flipped in every FLIPS-th byte of a store (default 7; unit takes every 31st), and the other disk faults; 90 s
	TRUESTEP_FLIPS=$(FLIPS) $(GOLAZY) test -vet=off -count=1 -timeout 0 -run 'PowerCut|LosesSynced|FlippedBit|FailingDiskCalls' ./store/sqlite

.PHONY: soak-bedrock soak-web soak-brief
soak-bedrock: ## 200 honest Bedrock clients for ten simulated minutes, 360 more with liquids, effects and vehicles, every cheat
	TRUESTEP_SOAK=full $(GOLAZY) test -vet=off -count=1 -timeout 20m -run Soak -v ./gateway/bedrock ./client/bedrock

soak-web: ## 200 honest web clients for ten simulated minutes at a round trip of 250 ms and 5 % loss each way, and one among 75 players of other doors
	TRUESTEP_SOAK=full $(GOLAZY) test -vet=off -count=1 -timeout 60m -run Soak -v ./gateway/web ./internal/oneworld

soak-brief: ## the clients of soak-bedrock for 30 simulated seconds, ten web clients for 20, and one among 75 players of other doors
	TRUESTEP_SOAK=brief $(GOLAZY) test -vet=off -count=1 -timeout 20m -run Soak -v ./gateway/bedrock ./client/bedrock ./gateway/web ./internal/oneworld

.PHONY: simulate
SEEDS ?= 500
TENTH = $(shell expr \( $(SEEDS) + 9 \) / 10)
simulate: ## a cluster with faults in virtual time, a minute for each of SEEDS seeds (default 500), on all processors; and a tenth as many seeds each of parties, forged messages, and long outages of the database; and SEEDS seeds of each model of the records that sessions store
	$(GOLAZY) test -vet=off -count=1 -timeout 0 -v -run '^TestSimulated(Faults|Parties|Forgeries|Outages)' ./cluster -args -seeds $(SEEDS) \
		-party-seeds $(TENTH) -forged-seeds $(TENTH) -outage-seeds $(TENTH)
	$(GOLAZY) test -vet=off -count=1 -timeout 0 -v -run '^TestItemsAreNeitherLost' ./session -args -runs $(SEEDS)

.PHONY: mutations
mutations: ## errors put into the code of the cluster, each of which the simulation must find within 200 seeds (one: 600), or a test that is named with it
	$(GO) run ./bench/mutations

lint: ## gofmt, vet, staticcheck, dead code
	@test -z "$$(gofmt -l .)" || { echo "gofmt would change:"; gofmt -l .; exit 1; }
	$(GOLAZY) vet ./...
	$(TOOL) staticcheck ./...
	@dead="$$($(TOOL) deadcode -test ./... | grep -vE '$(LIBRARY)')"; test -z "$$dead" || { echo "never called:"; echo "$$dead"; exit 1; }

fuzz: ## every fuzz target for FUZZTIME each (default 10s)
	scripts/fuzz.sh $(FUZZTIME)

.PHONY: fuzz-brief
fuzz-brief: ## the fuzz targets of the wire formats and of messages between nodes for half a second each; unit runs the seeds of all targets
	scripts/fuzz.sh 500ms 2 ./proto/... ./cluster/...

bench: ## the figures of docs/benchmarks/rcce.md, ten runs each
	scripts/bench.sh

bench-rs: ## the figures of docs/benchmarks/rs.md, five runs each
	scripts/bench-rs.sh

bench-web-peers: ## the web protocol beside Colyseus and naia on the same motion and line; Linux, root, Node 20 and Rust
	scripts/bench-web-peers.sh

bench-rs-peers: ## rsprot and ours side by side on rsprot's own load; needs a JDK 17, Maven and its central repository
	scripts/bench-rs.sh --peers

bench-bedrock: ## the figures of docs/benchmarks/bedrock.md, five runs each, and a hundred real clients for a minute
	scripts/bench-bedrock.sh

.PHONY: bench-login
bench-login: build ## the figures of docs/benchmarks/login.md: storms of 1,000 players, new, known and after a kill, at two doors; Linux, 10 min
	$(GO) run ./bench/login --server $(BIN)

.PHONY: bench-cluster
bench-cluster: ## the figures of docs/benchmarks/agreement.md: two ways for three nodes to agree; Linux, PostgreSQL server programs, 25 min
	$(GO) run ./bench/cluster --runs 4
	$(GO) run ./bench/cluster --runs 4 --busy 10 --faults none,kill,stop

.PHONY: bench-compare
BASE ?= HEAD~1
bench-compare: ## the Go benchmarks of now beside those of the commit BASE (default: the one before), in turns; 12 min
	$(GO) run ./bench/compare $(BASE)

bench-brief: ## every benchmark once
	$(GOLAZY) test -vet=off -run '^$$' -short -bench . -benchtime 1x ./...

NODE20 = @node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)' || { echo "the page and the end-to-end tests need Node 20 or newer: https://nodejs.org"; exit 1; }

console: ## the operator's page: check it, test it, and build it into console/dist, which is committed
	$(NODE20)
	cd console/web && npm ci --no-audit --no-fund && npm run check && npm test && npm run build

console-check: ## that console/dist is what the sources of the page make
	$(NODE20)
	scripts/console-check.sh

e2e: build ## all end-to-end tests but e2e-console-pages: three sequences beside each other, then the attacks
	MAKEFLAGS='$(if $(MAKEOVERRIDES),-- $(MAKEOVERRIDES))' scripts/tmp-in-memory.sh scripts/e2e.sh

e2e-lib: ## unit tests of what the end-to-end tests share: server process, report, oracle
	$(NODE20)
	node --test e2e/lib/

e2e-rcce: build ## two independent headless clients against the real binary
	$(NODE20)
	node --test e2e/rcce/
	node e2e/rcce/run.mjs --server $(BIN) --worlds embedded,project --project $(PROJECT)

e2e-rs: build ## a hundred independent headless RuneScape 667 clients against the real binary
	$(NODE20)
	node --test e2e/rs/
	node e2e/rs/run.mjs --server $(BIN)

e2e-bedrock: build ## the npm package's Bedrock clients, two versions and three RakNet backends, against the real binary
	$(NODE20)
	node e2e/bedrock/setup.mjs
	node --test e2e/bedrock/
	node e2e/bedrock/run.mjs --server $(BIN)

e2e-world: build ## clients of all three doors in one area, against the real binary
	$(NODE20)
	node e2e/bedrock/setup.mjs
	node e2e/world/run.mjs --server $(BIN)

e2e-console: build ## the operator's page in a real browser, against the real binary; its layout is e2e-console-pages
	$(NODE20)
	node e2e/console/setup.mjs
	node --test e2e/console/
	node e2e/console/run.mjs --server $(BIN) --except layout

.PHONY: e2e-console-pages
e2e-console-pages: build ## that all pages and dialogs of the operator's page are complete and legible at four sizes, in light and dark
	$(NODE20)
	node e2e/console/setup.mjs
	scripts/tmp-in-memory.sh node e2e/console/run.mjs --server $(BIN) --only layout

.PHONY: e2e-console-cluster
e2e-console-cluster: build postgres ## the operator's page Cluster in a real browser, over three nodes with PostgreSQL
	$(NODE20)
	node e2e/console/setup.mjs
	node e2e/console/run_cluster.mjs --server $(BIN)

.PHONY: e2e-web client-ts page page-check
e2e-web: build postgres ## the page of the web door in a real browser, over WebTransport and WebSocket, against the real binary, and in a cluster
	$(NODE20)
	node e2e/web/setup.mjs
	node e2e/web/run.mjs --server $(BIN)

client-ts: ## the npm package of the web door: check it, test it, build it into client/ts/dist
	$(NODE20)
	cd client/ts && npm ci --no-audit --no-fund && npm run check && npm test && npm run build

page: ## the page of the web door: check it, and build it into gateway/web/dist, which is committed
	$(NODE20)
	cd gateway/web/page && npm ci --no-audit --no-fund && npm run check && npm run build

page-check: ## that the npm package passes its tests, and that gateway/web/dist is what its sources make
	$(NODE20)
	scripts/page-check.sh

.PHONY: e2e-attack e2e-attack-brief
e2e-attack: build ## attacks on every door at 1, 4 and 16 times the strength of SECURITY.md, beside honest players; Linux
	$(GO) run ./e2e/attack --server $(BIN)

e2e-attack-brief: build ## every attack at a quarter of that strength, in a minute; Linux
	@if [ "$$(uname)" = Linux ]; then $(GO) run ./e2e/attack --server $(BIN) --brief; else echo "e2e-attack: left out, because it needs Linux"; fi

.PHONY: e2e-kill e2e-kill-brief
e2e-kill: build ## 30 times kill -9 of a server with 250 clients that fight and trade, and what they had been shown compared; Linux, 15 min
	$(GO) run ./e2e/kill --server $(BIN)

e2e-kill-brief: build ## 3 times kill -9 of a server with 25 clients; Linux
	@if [ "$$(uname)" = Linux ]; then $(GO) run ./e2e/kill --server $(BIN) --brief; else echo "e2e-kill: left out, because it needs Linux"; fi

.PHONY: e2e-cluster e2e-cluster-brief e2e-cluster-broken
e2e-cluster: build postgres ## 5 rounds of kill -9, SIGSTOP, SIGTERM, cut and silent links, a full disk and a lost PostgreSQL under a cluster of three nodes; Linux, PostgreSQL, 55 min
	$(GO) run ./e2e/cluster --server $(BIN)

e2e-cluster-brief: build postgres ## kill -9 and SIGSTOP of a node of three, in a minute; Linux, PostgreSQL
	@if [ "$$(uname)" = Linux ]; then $(GO) run ./e2e/cluster --server $(BIN) --brief; else echo "e2e-cluster: left out, because it needs Linux"; fi

e2e-cluster-broken: postgres ## clusters of programs with one error each, such as no fencing, which the checker must find; Linux, PostgreSQL, 8 min
	$(GO) run ./e2e/cluster --broken

.PHONY: tape-cpus
tape-cpus: ## tapes of clients of all doors stepped again on amd64 v1 and v3, arm64 and big-endian s390x; Linux, 3 min, installs qemu-user
	scripts/tape-cpus.sh

.PHONY: release image
release: ## release archives of six platforms in dist/, built twice and compared byte for byte
	scripts/release.sh --verify

# Podman and buildah leave the health check of the Containerfile out of an image unless its format is docker.
IMAGE_BUILDER ?= $(or $(shell command -v podman buildah docker | head -n 1),podman)
image: ## a container image with the release binary for this machine's architecture (podman, buildah or docker)
	scripts/release.sh --platforms linux/$(shell $(GO) env GOARCH)
	mkdir -p dist/image/data
	tar -xzf dist/truestep-*-linux-$(shell $(GO) env GOARCH).tar.gz --strip-components=1 --wildcards -C dist/image '*/truestep'
	$(IMAGE_BUILDER) build $(if $(filter %podman %buildah,$(IMAGE_BUILDER)),--format docker) -t truestep -f Containerfile .

clean: ## what was built
	rm -rf bin dist
