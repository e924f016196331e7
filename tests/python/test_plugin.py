"""The pytest plugin of packaging/python, by the program that PTXLITMUS_PROGRAM names: python3 -m unittest, where pytest is."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = ROOT / "litmus/library/message-passing"


class Plugin(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        for name in ("MP", "MP+cta"):
            shutil.copy(LIBRARY / f"{name}.litmus", self.folder)

    def pytest(self, *arguments):
        # An installed package would have the plugin loaded a second time.
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "packaging/python/src"), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        ran = subprocess.run([sys.executable, "-m", "pytest", "-p", "ptxlitmus.pytest_plugin", "-p", "no:cacheprovider", *arguments],
                             cwd=self.folder, env=environment, capture_output=True, text=True)
        return ran.returncode, ran.stdout + ran.stderr

    def expect(self, name, before, after):
        path = self.folder / name
        path.write_text(re.sub(before, after, path.read_text()))

    def test_passes(self):
        status, said = self.pytest()
        self.assertIn("2 passed", said)
        self.assertEqual(status, 0)

    def test_fails_with_the_place(self):
        self.expect("MP.litmus", "expect forbidden", "expect allowed")
        status, said = self.pytest()
        self.assertRegex(said, r"MP\.litmus:11:8: expected allowed, but the condition is forbidden")
        self.assertIn("1 failed, 1 passed", said)
        self.assertEqual(status, 1)

    def test_broken_and_undecided_fail(self):
        shutil.copy(ROOT / "tests/bad/ptx-missing-scope.litmus", self.folder)
        status, said = self.pytest("-k", "scope")
        self.assertRegex(said, r"ptx-missing-scope\.litmus:8:38: error: '\.acquire' needs a scope")
        self.assertEqual(status, 1)
        (self.folder / "pytest.ini").write_text("[pytest]\nptxlitmus_timeout = 0.001\n")
        status, said = self.pytest("MP.litmus")
        self.assertIn("time limit", said)
        self.assertEqual(status, 1)

    def test_selected_by_name(self):
        self.assertIn("1 passed, 1 deselected", self.pytest("-k", "cta")[1])

    def test_options(self):
        (self.folder / "pytest.ini").write_text("[pytest]\nptxlitmus_options =\n  no-such = 1\n")
        status, said = self.pytest()
        self.assertIn("unknown option '--no-such'", said)
        self.assertEqual(status, 1)

    def test_modules_with_launches(self):
        for name in ("mp.ptx", "mp.ptx.litmus", "launch.ptx"):
            shutil.copy(ROOT / "tests/kernels" / name, self.folder)
        (self.folder / "alone.ptx").write_text((ROOT / "tests/kernels/check/reverse.ptx").read_text())
        said = self.pytest("--collect-only", "-q")[1]
        self.assertIn("mp.ptx::mp", said)
        self.assertNotIn("alone.ptx", said)
        self.assertNotIn("mp.ptx.litmus::", said)
        self.assertEqual(self.pytest("mp.ptx")[0], 0)

    def test_each_test_of_a_file(self):
        for name in ("checked.ptx", "checked.ptx.litmus"):
            shutil.copy(ROOT / "tests/kernels" / name, self.folder)
        self.expect("checked.ptx.litmus", "expect forbidden, race, no hang", "expect allowed")
        said = self.pytest("checked.ptx", "--collect-only", "-q")[1]
        self.assertIn("checked.ptx::checked\n", said)
        self.assertIn("checked.ptx::unordered\n", said)
        status, said = self.pytest("checked.ptx", "--junitxml=report.xml")
        self.assertIn("1 failed, 1 passed", said)
        self.assertIn("unordered: failed", said)
        self.assertEqual(status, 1)
        cases = re.findall(r'<testcase [^>]*name="(\w+)"[^>]*?(/>|><failure)', (self.folder / "report.xml").read_text())
        self.assertEqual(cases, [("checked", "/>"), ("unordered", "><failure")])
        self.assertEqual(self.pytest("checked.ptx", "-k", "checked and not unordered")[0], 0)
        self.assertEqual(self.pytest("checked.ptx::checked")[0], 0)

    def test_names_are_not_patterns(self):
        text = (self.folder / "MP.litmus").read_text()
        for name in ("M[P]x", "MPx"):  # of which the second one fails
            (self.folder / f"{len(name)}.litmus").write_text(re.sub("PTX MP\\b", f"PTX {name}", text))
        self.expect("3.litmus", "expect forbidden", "expect allowed")
        self.assertIn("1 failed, 3 passed", self.pytest()[1])

    def test_several_at_once(self):
        if subprocess.run([sys.executable, "-c", "import xdist"], capture_output=True).returncode != 0:
            self.skipTest("pytest-xdist is not there")
        shutil.copy(ROOT / "tests/kernels/checked.ptx", self.folder)
        shutil.copy(ROOT / "tests/kernels/checked.ptx.litmus", self.folder)
        self.assertIn("4 passed", self.pytest("-p", "xdist.plugin", "-n", "2")[1])


if __name__ == "__main__":
    if subprocess.run([sys.executable, "-c", "import pytest"], capture_output=True).returncode != 0:
        print("skipped: pytest is not there")
        sys.exit(77)
    unittest.main()
