"""The examples of docs/python.md, as they are printed: each block of Python runs, and what a message is said to be, it is. The
first one needs numba-cuda, and is skipped without it; the cells of a notebook need nbclient and ipykernel."""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packaging/python/src"))

import ptxlitmus  # noqa: E402

PAGE = (ROOT / "docs/python.md").read_text()


def blocks(language):
    return [text for name, text in re.findall(r"^```(\w*)\n(.*?)^```$", PAGE, re.S | re.M) if name == language]


def without_modules_lines(text):
    """The line of a message without the lines of the PTX, which depend on the version of numba-cuda."""
    return re.sub(r"line \d+ \(", "line N (", text.strip())


def has(*modules):
    return subprocess.run([sys.executable, "-c", f"import {', '.join(modules)}"], capture_output=True).returncode == 0


class Examples(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def load(self, text):
        """Runs a text as the file handoff.py; returns what it defines."""
        path = Path(self.folder.name, "handoff.py")
        path.write_text(text)
        names = {}
        exec(compile(text, str(path), "exec"), names)  # numba reads the file
        return names

    @unittest.skipUnless(has("numba.cuda"), "numba-cuda is not there")
    def test_handoff(self):
        example = blocks("python")[0]
        self.load(example)["test_handoff"]()
        with self.assertRaises(ptxlitmus.NotFree) as caught:
            self.load(example.replace("            cuda.threadfence()\n", "", 1))["test_handoff"]()
        said = [without_modules_lines(line) for line in str(caught.exception).splitlines()]
        for line in next(block for block in blocks("") if "handoff.py:" in block).splitlines():
            words = without_modules_lines(line).removesuffix("...")
            self.assertTrue(any(found.startswith(words) for found in said), f"{words}\n--\n{caught.exception}")

    def test_commands(self):
        names = {}
        os.chdir(ROOT)
        exec(blocks("python")[1], names)
        self.assertEqual(names["result"].verdict, "forbidden")

    def test_settings(self):
        settings = blocks("ini")[0]
        self.assertIn("ptxlitmus_timeout", settings)
        from ptxlitmus import commands
        model = re.search(r"^ +(\w+) = (\S+)$", settings, re.M)
        self.assertEqual(commands.run("MP", **{model[1]: model[2]}).test.data["model"], model[2])


@unittest.skipUnless(has("nbclient", "nbformat", "ipykernel"), "nbclient, nbformat or ipykernel is not there")
class Notebook(unittest.TestCase):
    def test_cells(self):
        import nbformat
        from nbclient import NotebookClient
        test = (ROOT / "litmus/library/message-passing/MP+cta.litmus").read_text()
        cells = ["%load_ext ptxlitmus", f"%%ptxlitmus\n{test}", f"%%ptxlitmus explain --remedies 0\n{test}", f"%%ptxlitmus fly\n{test}"]
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
        os.environ["PYTHONPATH"] = str(ROOT / "packaging/python/src")
        NotebookClient(notebook, timeout=120, kernel_name="python3", allow_errors=True).execute()
        loaded, run, explained, wrong = (cell.outputs for cell in notebook.cells)
        self.assertEqual(loaded, [])
        self.assertIn("<th>P1:%r0</th>", run[0].data["text/html"])
        self.assertIn("allowed", run[0].data["text/plain"])
        self.assertRegex(explained[0].data["image/svg+xml"], r"\A<svg")
        self.assertIn("not 'fly'", wrong[0].evalue)


if __name__ == "__main__":
    unittest.main()
