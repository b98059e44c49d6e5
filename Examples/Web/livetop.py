"""Runs LiveTop, and makes the modules in Examples importable."""
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from serving import Server  # noqa: E402


class LiveTop(Server):
    def __init__(self, program, *arguments, port=0):
        super().__init__(program, "--port", port, *arguments)
