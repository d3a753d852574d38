# Every target installs what is missing first, then builds in build/.
JOBS := $(shell nproc)

.DEFAULT_GOAL := help
.PHONY: help demo test sanitize bench format clean bootstrap release
.NOTPARALLEL:

help:
	@echo "make demo     build, and solve the problems of data/reference and some generated ones"
	@echo "make test     build, and run all tests: optimised (gcc), then with sanitizers (clang)"
	@echo "make sanitize all tests with sanitizers"
	@echo "make bench    measure the solvers, beside Siconos (installed for it)"
	@echo "make format   format every C++ file"
	@echo "make clean    remove build/"

bootstrap:
	@scripts/bootstrap.sh

release: bootstrap
	cmake --preset release
	cmake --build --preset release --parallel $(JOBS)

demo: release
	@scripts/demo.sh build/release

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

format: bootstrap
	@scripts/check_format.py --fix

clean:
	rm -rf build
