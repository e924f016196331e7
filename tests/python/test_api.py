"""The functions of packaging/python, by the program that PTXLITMUS_PROGRAM names: python3 -m unittest, and nothing else."""

import os
import re
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packaging/python/src"))

import ptxlitmus
from ptxlitmus import Array, Launch, Ptr, program

REVERSE = (ROOT / "tests/kernels/check/reverse.ptx").read_text()
MISSING_SCOPE = (ROOT / "tests/bad/ptx-missing-scope.litmus").read_text()
BLOCK = Launch("reverse_early", grid=1, block=4, args=[Ptr("data", 256), 3])


class Commands(unittest.TestCase):
    def test_run(self):
        result = ptxlitmus.run("MP")
        self.assertEqual((result.verdict, len(result.test.states), result.test.flags), ("forbidden", 3, ("data-race",)))
        self.assertIn({"P1:%r0": 1, "P1:%r1": 1}, result.test.states)
        self.assertIs(result.test.ok, True)
        self.assertEqual(ptxlitmus.run("MP+cta").verdict, "allowed")

    def test_text_and_path(self):
        path = ROOT / "litmus/library/message-passing/MP+cta.litmus"
        for source in (path, str(path), path.read_text()):
            self.assertEqual(ptxlitmus.run(source).verdict, "allowed")

    def test_options(self):
        self.assertEqual(ptxlitmus.run("SB+fence.sc", model="ptx-6.0").test.data["model"], "ptx-6.0")
        self.assertIsNone(ptxlitmus.run("MP", verdict=True).test.data["states"])
        with self.assertRaisesRegex(ptxlitmus.InputError, "unknown option '--no-such'"):
            ptxlitmus.run("MP", no_such=1)

    def test_bad_input_has_places(self):
        with self.assertRaises(ptxlitmus.InputError) as caught:
            ptxlitmus.run(MISSING_SCOPE)
        self.assertEqual([(p.line, p.column) for p in caught.exception.problems], [(8, 38), (9, 4)])
        self.assertIn("'.acquire' needs a scope", caught.exception.problems[0].message)
        self.assertIn("^^^^^^^^", caught.exception.text)
        with self.assertRaises(ptxlitmus.InputError):
            ptxlitmus.run("no/such/file.litmus")

    def test_undecided_is_unknown(self):
        result = ptxlitmus.run("MP", timeout=0.001)
        self.assertEqual((result.verdict, result.status, result.test.ok), ("unknown", 3, None))
        self.assertIn("time limit", result.test.reason)

    def test_check(self):
        early = ptxlitmus.check(REVERSE, BLOCK)
        self.assertIs(early.clean, False)
        finding = early.test.findings[0]
        self.assertEqual((finding.flag, {p.place for p in finding.places}), ("data-race", {"line 51", "line 52"}))
        self.assertTrue(early.test.fix)
        late = Launch("reverse_late", grid=1, block=4, args=[Ptr("data", 256), 3])
        self.assertIs(ptxlitmus.check(ROOT / "tests/kernels/check/reverse.ptx", late).clean, True)

    def test_several_tests(self):
        result = ptxlitmus.run(ROOT / "tests/cases/inputs/suite")
        self.assertEqual(len(result.tests), 2)
        with self.assertRaisesRegex(ValueError, "2 tests"):
            result.verdict

    def test_explain_repair_compare_inspect(self):
        explained = ptxlitmus.explain("MP+cta")
        self.assertIn("is in another CTA", str(explained.test.data["lacks"]))
        self.assertRegex(explained._repr_svg_(), r"\A<svg[^>]*>")
        self.assertEqual(ptxlitmus.repair("MP+cta").test.data["results"][0]["cost"], 18)
        self.assertEqual(ptxlitmus.compare("MP", "MP+cta").test.data["relation"], "A within B")
        self.assertEqual([f["name"] for f in ptxlitmus.inspect(REVERSE).test.data["functions"]], ["reverse_late", "reverse_early"])

    def test_html_is_escaped(self):
        shown = ptxlitmus.run("MP")._repr_html_()
        self.assertIn("<th>P1:%r0</th>", shown)
        self.assertEqual(shown.count("<tr>"), 4)
        result = ptxlitmus.Result("run", (ptxlitmus.Test({"test": "<b>", "states": [{"<x>": "<1>"}]}),), 0, "")
        self.assertNotRegex(result._repr_html_(), "<b>|<x>|<1>")


class Launches(unittest.TestCase):
    def test_what_is_wrong_is_said(self):
        for launch, words in (
            (Launch("reverse_early", args=[Ptr("data", 256)]), "reverse_early has 2 parameters, not 1"),
            (Launch("reverse_early", args=[Ptr("data", 256), 1, 2]), "has 2 parameters, not 3"),
            (Launch("reverse_early", args=[Ptr("data", 3), 1]), "3 bytes are not one or more elements of .u32"),
            (Launch("reverse_early", args=[Ptr("1x", 4), 1]), "'1x' is not a name"),
            (Launch("reverse_early", args=[Ptr("x", 4, type="int"), 1]), "'int' is not a type"),
            (Launch("reverse_early", dynamic=4), "takes all arguments"),
        ):
            with self.assertRaisesRegex(ValueError, re.escape(words)):
                ptxlitmus.check(REVERSE, launch)
        with self.assertRaisesRegex(ptxlitmus.InputError, "reverse_late, reverse_early"):
            ptxlitmus.check(REVERSE, Launch(args=[Ptr("data", 256), 3]))

    def test_derived(self):
        test = ptxlitmus.check(REVERSE, Launch("reverse_late", block=4, args={"n": 2})).test
        self.assertIn("arg 1 = 2", test.launch)

    def test_arrays(self):
        array = Array("x", (2, 3), "s64")
        self.assertEqual(array.pointer().declaration(), "global .s64 x[6]")
        self.assertEqual(array.values(), ["0", "0", "6", "8", "&x", "2", "3", "24", "8"])
        self.assertEqual(array.struct(), "{&x, .u64 0, .s32 2, .s32 3, .s32 0, .s32 0, .s32 24, .s32 8, .s32 0, .s32 0, .u16 2, .u16 0}")
        with self.assertRaisesRegex(ValueError, "up to 4 dimensions, not 5"):
            Array("x", (1, 1, 1, 1, 1)).struct()

    def test_how_arguments_are_passed(self):
        passing = ptxlitmus.launch.Passing
        launch = Launch(grid=(2, 2), block=32, args=[Array("x", 1), Ptr("y", 4), 3])
        shown = launch.manifest("k", [True, True, True, False], passing.WARP)
        self.assertIn("arg 0 = {.u32 128, .u64 128, .u64 1}\narg 1 = {&x, .u64 0, ", shown)
        self.assertIn("arg 2 = {&y}\narg 3 = 3\n", shown)
        self.assertIn("arg 1 = 3\narg 2 = 0\n", Launch(args=[Ptr("y", 4), 3]).manifest("k", [False] * 3, passing.TRITON))
        with self.assertRaisesRegex(ValueError, "'args' need 'grid' and 'block'"):
            Launch(grid=2, args=[Array("x", 1)]).manifest("k", [True, True], passing.WARP)


class AssertFree(unittest.TestCase):
    def compiled(self, kernel):
        about = SimpleNamespace(name=kernel, shared=0, global_scratch_size=0, profile_scratch_size=0)
        return SimpleNamespace(asm={"ptx": REVERSE}, metadata=about)

    def test_free(self):
        launch = Launch(grid=1, block=4, args=[Ptr("data", 256), 3])
        self.assertIs(ptxlitmus.assert_free(self.compiled("reverse_late"), launch).clean, True)

    def test_not_free(self):
        for compiled in (REVERSE, (REVERSE, None), SimpleNamespace(__ptx__=REVERSE), SimpleNamespace(inspect_asm=lambda: {1: REVERSE})):
            with self.assertRaisesRegex(AssertionError, "line 51.*\n.*line 52") as caught:
                ptxlitmus.assert_free(compiled, BLOCK)
            self.assertIs(caught.exception.result.clean, False)

    def test_a_known_fault_needs_no_search(self):
        asked = []

        def command(name, text, launch, timeout, memory, options, passes):
            asked.append((options.get("method"), timeout))
            if len(asked) > 1:
                raise ptxlitmus.TimeLimitError("the search does not end")
            return _command(name, text, launch, timeout, memory, options, passes)

        _command = ptxlitmus.freedom._command
        with mock.patch.object(ptxlitmus.freedom, "_command", command), self.assertRaisesRegex(ptxlitmus.NotFree, "line 51"):
            ptxlitmus.assert_free(REVERSE, BLOCK)
        self.assertEqual([method for method, _ in asked], ["run", None])
        self.assertLess(asked[1][1], asked[0][1] / 10)

    def test_not_decided_is_not_free(self):
        with self.assertRaises(ptxlitmus.NotDecided):
            ptxlitmus.assert_free(REVERSE, Launch("reverse_late", block=4), timeout=0.001, method="search")

    def test_nothing_shared_is_said(self):
        with self.assertWarns(ptxlitmus.NothingShared):
            ptxlitmus.assert_free(REVERSE, Launch("reverse_late", block=1, grid=1, args=[Ptr("data", 256), 0]))

    def test_what_has_no_ptx(self):
        for compiled in (3, object(), (1, 2)):
            with self.assertRaisesRegex(TypeError, "there is no PTX in an object of"):
                ptxlitmus.assert_free(compiled)
        with self.assertRaisesRegex(TypeError, "CUTE_DSL_KEEP_PTX"):
            ptxlitmus.assert_free(SimpleNamespace(__ptx__=None))

    def test_lines_of_inline_assembly_are_not_counted_on(self):
        block = "// begin inline asm\n\t.loc 1 7 2\n\tmov.u32 %r1, 0;\n\t.loc\t1 8 2 // k.py:8\n\tld.u32 %r1, [x];\n\t// end inline asm\n"
        text = ".loc 1 7 2\n" + block + ".loc 1 9 1\n"
        shown = ptxlitmus.compiled.without_counted_lines(text)
        self.assertEqual(re.findall(r"\.loc 1 (\d+)", shown), ["7", "9"])
        self.assertEqual(shown.count("\n"), text.count("\n"))

    def test_lines_of_callers(self):
        files = '.file 1 "/k.py"\n.file 2 "/array.h"\n'
        inlined = ".loc\t2 5 3, function_name $L__info_string0, inlined_at 1 9 4\n.loc 2 6 1\n.loc 1 2 1\n"
        self.assertEqual(ptxlitmus.compiled.with_callers_lines(files + inlined), files + ".loc\t1 9 4\n\n.loc 1 2 1\n")

    def test_lines_of_the_source(self):
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder, "kernel.py")
            source.write_text("first\nsecond\n")
            shown = ptxlitmus.freedom.with_sources("line 7 (kernel.py:2): x read", f'.file 1 "{source}"\n')
        self.assertEqual(shown.splitlines()[1].strip(), "kernel.py:2: second")


class Processes(unittest.TestCase):
    """With scripts in the program's place."""

    def script(self, text):
        folder = tempfile.mkdtemp()
        self.addCleanup(__import__("shutil").rmtree, folder)
        path = Path(folder, "program")
        path.write_text("#!/bin/sh\n" + text)
        path.chmod(0o700)
        old = os.environ.get("PTXLITMUS_PROGRAM")
        os.environ["PTXLITMUS_PROGRAM"] = str(path)
        self.addCleanup(lambda: os.environ.pop("PTXLITMUS_PROGRAM") if old is None else os.environ.update(PTXLITMUS_PROGRAM=old))
        return path

    def test_children_end_with_the_time(self):
        path = self.script('sleep 300 & echo $! >"$0.child"; wait\n')
        with self.assertRaisesRegex(ptxlitmus.TimeLimitError, "had not ended after 1 s"):
            program.run_program(["run"], seconds=1)
        child = int(Path(f"{path}.child").read_text())
        for _ in range(100):
            state = Path(f"/proc/{child}/stat")
            if not state.exists() or state.read_text().split(")")[-1].split()[0] in "ZX":
                return
            time.sleep(0.05)
        os.kill(child, signal.SIGKILL)
        self.fail("a process is left")

    def test_faults(self):
        self.script("kill -9 $$\n")
        with self.assertRaisesRegex(ptxlitmus.ProgramError, "signal 9"):
            ptxlitmus.run("MP")
        self.script("echo no JSON\n")
        with self.assertRaisesRegex(ptxlitmus.ProgramError, "did not print JSON"):
            ptxlitmus.run("MP")
        self.script("echo broken >&2; exit 4\n")
        with self.assertRaisesRegex(ptxlitmus.ProgramError, "broken"):
            ptxlitmus.run("MP")
        self.script("exit 0\n")
        with self.assertRaisesRegex(ptxlitmus.InputError, "found no test"):
            ptxlitmus.run("MP")

    def test_no_program(self):
        self.script("")
        os.environ["PTXLITMUS_PROGRAM"] = "/no/such/program"
        with self.assertRaisesRegex(ptxlitmus.ProgramError, "cannot be run"):
            ptxlitmus.run("MP")


class Notebook(unittest.TestCase):
    def test_cells(self):
        text = (ROOT / "litmus/library/message-passing/MP+cta.litmus").read_text()
        self.assertEqual(ptxlitmus.notebook.cell("", text).verdict, "allowed")
        self.assertEqual(ptxlitmus.notebook.cell("run --model ptx-6.0 --verdict", text).test.data["model"], "ptx-6.0")
        self.assertEqual(ptxlitmus.notebook.cell("explain --remedies=0", text).command, "explain")
        for line, words in (("fly", "not 'fly'"), ("run x", "expected an option")):
            with self.assertRaisesRegex(ValueError, words):
                ptxlitmus.notebook.cell(line, text)

    def test_extension(self):
        known = []
        ptxlitmus.load_ipython_extension(SimpleNamespace(register_magic_function=lambda *a: known.append(a[1:])))
        self.assertEqual(known, [("cell", "ptxlitmus")])


class Package(unittest.TestCase):
    def test_versions(self):
        said = subprocess.run([program.find_program(), "--version"], capture_output=True, text=True).stdout.split()[1]
        project = re.search(r'^version = "(.*)"', (ROOT / "packaging/python/pyproject.toml").read_text(), re.M)[1]
        self.assertEqual({said, project}, {ptxlitmus.__version__})

    def test_command(self):
        code = "import sys; sys.argv = ['x', '--version']; from ptxlitmus.program import main; main()"
        ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                             env={**os.environ, "PYTHONPATH": str(ROOT / "packaging/python/src")})
        self.assertEqual((ran.returncode, ran.stdout.split()[0]), (0, "ptxlitmus"), ran.stderr)


if __name__ == "__main__":
    unittest.main()
