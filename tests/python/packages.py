"""assert_free with the packages whose kernels it takes, as they are installed: of each, a kernel that is right and one that is
not, of which the lines in Python have to be named. No GPU is needed.

Packages that are missing are skipped with a message; where all are, the status is 77.
usage: python3 packages.py [PACKAGE...]     triton, numba, warp or cute; PTXLITMUS_PROGRAM names the program
"""

import importlib
import importlib.metadata
import importlib.util
import os
import sys
import time
import warnings
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "kernels"))
if importlib.util.find_spec("ptxlitmus") is None:  # it is not installed
    sys.path.insert(0, str(HERE.parents[1] / "packaging/python/src"))

import ptxlitmus  # noqa: E402

SECONDS = 20


def what_is_wrong(kernels):
    """What assert_free did not do with the kernels of a package; None where it did all."""
    compiled, launch = kernels.right()
    with warnings.catch_warnings():
        warnings.simplefilter("error", ptxlitmus.NothingShared)
        try:
            ptxlitmus.assert_free(compiled, launch, timeout=SECONDS)
        except (AssertionError, ptxlitmus.Error, ptxlitmus.NothingShared) as error:
            return f"the right one: {type(error).__name__}: {error}"
    compiled, launch = kernels.wrong()
    try:
        ptxlitmus.assert_free(compiled, launch, timeout=SECONDS)
    except ptxlitmus.NotFree as error:
        lacking = [text for text in kernels.SHOWN if text not in str(error)]
        return f"the message lacks {lacking}:\n{error}" if lacking else None
    except (AssertionError, ptxlitmus.Error) as error:
        return f"the wrong one: {type(error).__name__}: {error}"
    return "the wrong one is said to be free"


def main():
    os.environ.setdefault("TRITON_DEFAULT_FP_FUSION", "1")  # else it warns
    failed = ran = 0
    for name in sys.argv[1:] or ("triton", "numba", "warp", "cute"):
        begun = time.monotonic()
        try:
            kernels = importlib.import_module(f"of_{name}")
        except ImportError as error:
            print(f"skipped: {name}: {error}")
            continue
        ran += 1
        version = importlib.metadata.version(kernels.PACKAGE)
        wrong = what_is_wrong(kernels)
        failed += wrong is not None
        print(f"{'FAIL' if wrong else 'fine'}: {name} {version}, {time.monotonic() - begun:.0f} s{': ' + wrong if wrong else ''}", flush=True)
    return 1 if failed else 0 if ran else 77


sys.exit(main())
