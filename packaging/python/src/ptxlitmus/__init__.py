"""Checks GPU kernels and litmus tests against PTX's memory consistency model, with the program `ptxlitmus` (docs/python.md)."""

from .commands import check, compare, explain, inspect, repair, run, suite
from .compiled import Module, module_of
from .errors import Error, InputError, NotDecided, NotFree, NothingShared, Problem, ProgramError, TimeLimitError
from .freedom import assert_free
from .launch import Array, Launch, Ptr
from .notebook import load_ipython_extension
from .result import Finding, Place, Result, Test

__all__ = ["Array", "Error", "Finding", "InputError", "Launch", "Module", "NotDecided", "NotFree", "NothingShared", "Place", "Problem",
           "ProgramError", "Ptr", "Result", "Test", "TimeLimitError", "assert_free", "check", "compare", "explain", "inspect",
           "load_ipython_extension", "module_of", "repair", "run", "suite"]
__version__ = "0.1.0"
