# Every target installs what is missing first, then builds in build/.
JOBS := $(shell nproc)

.DEFAULT_GOAL := help
.PHONY: help demo test sanitize bench bench-sim docs format clean bootstrap viewer release
.NOTPARALLEL:

help:
	@echo "make demo     build, solve the problems of data/reference, and simulate four scenes with their replays"
	@echo "make test     build, and run all tests: optimised (gcc), then with sanitizers (clang)"
	@echo "make sanitize all tests with sanitizers"
	@echo "make viewer   the page that plays recordings"
	@echo "make bench    measure the solvers, beside Siconos (installed for it)"
	@echo "make bench-sim measure the simulator: long runs, and beside MuJoCo, ODE, Bullet and DART (an hour)"
	@echo "make docs     the documentation as a site, build/docs/index.html"
	@echo "make format   format every C++ file"
	@echo "make clean    remove build/"

bootstrap:
	@scripts/bootstrap.sh

viewer: bootstrap
	@scripts/build_viewer.sh

release: viewer
	cmake --preset release
	cmake --build --preset release --parallel $(JOBS)

demo: release
	@scripts/demo.sh build/release
	@scripts/demo_scenes.py build/release/bin/tribo build/demo

test: release
	ctest --preset release --parallel $(JOBS)
	cmake --preset asan
	cmake --build --preset asan --parallel $(JOBS)
	ctest --preset asan --parallel $(JOBS)

# Every test under the sanitizers; `make test` takes the layers that meet what others wrote.
sanitize: bootstrap
	cmake --preset asan -D TRIBO_SANITIZE_ALL=ON
	cmake --build --preset asan --parallel $(JOBS)
	ctest --preset asan --parallel $(JOBS)

# Siconos is a peer to compare with, and nothing else needs it; CMake looks for it once more after it was installed.
bench:
	@scripts/bootstrap.sh bench
	cmake --preset release -U 'SICONOS_*'
	cmake --build --preset release --parallel $(JOBS)
	build/release/bin/tribo bench lcp robustness no-slip

# All that docs/benchmarks.md promises of the simulator; the record stays in build/.
bench-sim:
	@scripts/bootstrap.sh bench
	cmake --preset release -U 'SICONOS_*'
	cmake --build --preset release --parallel $(JOBS)
	build/release/bin/tribo bench sim peers | tee build/bench-sim.txt

docs:
	@scripts/bootstrap.sh docs
	mkdocs build --clean
	@echo "documentation: build/docs/index.html"

format: bootstrap
	@scripts/check_format.py --fix

clean:
	rm -rf build
