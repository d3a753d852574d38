"""Each check of scripts/ is shown small trees: a clean one that it must pass, and planted faults that it must refuse."""
import pathlib
import stat
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Tree(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def check(self, name, *arguments):
        script = ROOT / "scripts" / f"check_{name}.py"
        return subprocess.run([sys.executable, script, "--root", self.root, *arguments], capture_output=True, text=True, check=False)

    def assert_passes(self, name, *arguments):
        run = self.check(name, *arguments)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    def assert_refuses(self, name, message, *arguments):
        run = self.check(name, *arguments)
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        self.assertIn(message, run.stdout)


class Includes(Tree):
    def setUp(self):
        super().setUp()
        for layer in ("core", "linalg", "problem", "formulation", "solve", "certify", "contact", "io"):
            self.write(f"include/tribo/{layer}/a.hpp", "#pragma once\n#include <vector>\n")
            self.write(f"src/{layer}/private.hpp", "#pragma once\n")
            self.write(f"src/{layer}/a.cpp", f'#include "tribo/{layer}/a.hpp"\n#include "{layer}/private.hpp"\n')
        self.write("cli/main.cpp", '#include "tribo/contact/a.hpp"\n#include "local.hpp"\n#include "bench/bench.hpp"\n')
        self.write("cli/local.hpp", "#include <fmt/format.h>\n")
        self.write("bench/bench.hpp", '#include "tribo/io/a.hpp"\n')

    # What the folders do today is allowed.
    def test_passes_the_allowed_directions(self):
        self.write("src/contact/b.cpp", '#include "tribo/certify/a.hpp"\n#include "tribo/core/a.hpp"\n')
        self.write("src/io/b.cpp", '#include "tribo/problem/a.hpp"\n#include <hdf5.h>\n')
        self.assert_passes("includes")

    # A solver that sees its own checker could agree with it by construction.
    def test_refuses_every_arrow_that_points_up_or_aside(self):
        for layer, other in (("core", "linalg"), ("linalg", "problem"), ("problem", "solve"), ("solve", "certify"),
                             ("certify", "solve"), ("certify", "formulation"), ("formulation", "solve"),
                             ("io", "contact"), ("contact", "io"), ("problem", "io")):
            for place in (f"src/{layer}/planted.cpp", f"include/tribo/{layer}/planted.hpp"):
                for line in (f'#include "tribo/{other}/a.hpp"', f"#  include <tribo/{other}/a.hpp>"):
                    with self.subTest(place=place, line=line):
                        self.write(place, line + "\n")
                        self.assert_refuses("includes", f"{place}:1: tribo/{other}/a.hpp: {layer} may not include {other}")
                        (self.root / place).unlink()

    # What is in src/ may change any day.
    def test_refuses_private_headers_of_others(self):
        for place, line in (("include/tribo/solve/planted.hpp", '#include "solve/private.hpp"'),
                            ("src/contact/planted.cpp", '#include "solve/private.hpp"'),
                            ("src/contact/planted.cpp", '#include "../solve/private.hpp"'),
                            ("cli/planted.cpp", '#include "solve/private.hpp"'),
                            ("cli/planted.cpp", '#include "../src/solve/private.hpp"'),
                            ("bench/planted.cpp", '#include "src/solve/private.hpp"'),
                            ("bench/planted.cpp", '#include "cli/local.hpp"')):
            with self.subTest(place=place, line=line):
                self.write(place, line + "\n")
                self.assert_refuses("includes", f"{place}:1: ")
                (self.root / place).unlink()

    # The solvers can be used where there is nothing but Eigen.
    def test_refuses_other_libraries_below_io(self):
        self.write("src/solve/planted.cpp", "#include <nlohmann/json.hpp>\n")
        self.assert_refuses("includes", "src/solve/planted.cpp:1: nlohmann/json.hpp")
        (self.root / "src/solve/planted.cpp").unlink()
        self.write("src/core/planted.cpp", "#include <Eigen/Core>\n")
        self.assert_refuses("includes", "core does without Eigen")

    # A new folder is placed in the picture before it is used.
    def test_refuses_a_folder_it_does_not_know(self):
        self.write("src/magic/a.cpp", "#include <vector>\n")
        self.assert_refuses("includes", "the folder magic has no place")


class Format(Tree):
    def setUp(self):
        super().setUp()
        self.write(".clang-format", (ROOT / ".clang-format").read_text(encoding="utf-8"))
        self.write("src/good.cpp", "int f() { return 1; }\n")

    def test_passes_formatted_code(self):
        self.assert_passes("format")

    # One bad file among good ones is enough, and --fix is the remedy that the message names.
    def test_refuses_unformatted_code_and_mends_it(self):
        self.write("src/planted.cpp", "int  g( ){return 1;}\n")
        self.assert_refuses("format", "make format")
        self.assert_passes("format", "--fix")
        self.assert_passes("format")


class Size(Tree):
    # The limit itself is allowed, one line more is not.
    def test_refuses_more_than_700_lines(self):
        self.write("src/a.cpp", "\n" * 700)
        self.assert_passes("size")
        self.write("src/a.cpp", "\n" * 701)
        self.assert_refuses("size", "src/a.cpp: 701 lines")


class Links(Tree):
    def setUp(self):
        super().setUp()
        self.write("docs/other.md", "# One heading: here\n")
        self.write("src/core/status.cpp", "\n")

    def test_passes_links_that_lead_somewhere(self):
        self.write("README.md", "[a](docs/other.md) [b](docs/other.md#one-heading-here) [c](https://example.org) [d](docs)\n"
                                "`src/core/status.cpp`\n```\n[not](a-link.md)\n```\n")
        self.assert_passes("links")

    def test_refuses_dead_links(self):
        for line in ("[a](docs/none.md)", "[a](docs/other.md#two)", "[a](#two)", "`src/core/none.cpp`"):
            with self.subTest(line=line):
                self.write("README.md", line + "\n")
                self.assert_refuses("links", "README.md:1: ")


class Snippets(Tree):
    def setUp(self):
        super().setUp()
        self.write("examples/block_on_slope.cpp", "int main() {}\n")

    def readme(self, code):
        self.write("README.md", f"<!-- file: examples/block_on_slope.cpp -->\n```cpp\n{code}```\n")

    def test_passes_the_file_itself(self):
        self.readme("int main() {}\n")
        self.assert_passes("snippets")

    def test_refuses_any_difference(self):
        self.readme("int main() { }\n")
        self.assert_refuses("snippets", "differs from examples/block_on_slope.cpp")

    def test_refuses_a_readme_without_the_example(self):
        self.assert_refuses("snippets", "README.md: no such file")
        self.write("README.md", "nothing\n")
        self.assert_refuses("snippets", "does not show")


class SolverTable(Tree):
    def setUp(self):
        super().setUp()
        self.write("tool", "#!/bin/sh\necho '| a |'\n")
        (self.root / "tool").chmod(stat.S_IRWXU)

    def table(self, text):
        self.write("docs/solvers.md", f"x\n<!-- solver table: begin -->\n{text}<!-- solver table: end -->\ny\n")

    def test_passes_the_table_of_the_binary(self):
        self.table("| a |\n")
        self.assert_passes("solver_table", self.root / "tool")

    def test_refuses_another_table_and_mends_it(self):
        self.table("| b |\n")
        self.assert_refuses("solver_table", "not that of the binary", self.root / "tool")
        self.assert_passes("solver_table", self.root / "tool", "--fix")
        self.assert_passes("solver_table", self.root / "tool")

    def test_refuses_a_page_without_the_markers(self):
        self.write("docs/solvers.md", "| a |\n")
        self.assert_refuses("solver_table", "missing", self.root / "tool")


if __name__ == "__main__":
    unittest.main()
