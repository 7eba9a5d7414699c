"""From a source to one layer: what it says, upon what it extends, upon what that extends, …"""

from __future__ import annotations

import os
from collections.abc import Mapping

from toolbrake.config._layer import Layer, read_layer
from toolbrake.config._problems import nearest, shown
from toolbrake.config._rows import read_rows
from toolbrake.core.value import Frozen
from toolbrake.errors import ConfigError
from toolbrake.policies import READY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

    from toolbrake.config._problems import Problems


class Document(Frozen):
    """Data and where it is from.

    ``name`` is what people call it, empty for data in code; ``identity`` is the same for every spelling of the name.
    ``folder`` is where the paths in it start, None for the current folder.
    """

    __slots__ = ("data", "folder", "identity", "name")
    data: object
    folder: Path | None
    identity: str
    name: str

    def __init__(self, data: object, *, name: str = "", identity: str = "", folder: Path | None = None) -> None:
        self._set(data=data, name=name, identity=identity, folder=folder)

    @property
    def prefix(self) -> str:
        """What the problems of this document begin with."""
        return f"{self.name}: " if self.name else ""


class Composition(Frozen):
    """All layers as one. ``ready`` is the nearest ready policy among them, ``sources`` names all, nearest first."""

    __slots__ = ("layer", "ready", "sources")
    layer: Layer
    ready: str
    sources: tuple[str, ...]

    def __init__(self, layer: Layer, *, ready: str = "", sources: tuple[str, ...] = ()) -> None:
        self._set(layer=layer, ready=ready, sources=sources)


def compose_source(source: object, problems: Problems) -> Composition:
    """The layers of ``source`` as one: a ready policy's name, a path, a mapping or a list of rows."""
    try:
        document = _open(source)
    except ConfigError as error:
        problems.take(error)
        return Composition(Layer())
    return _compose(document, (), problems)


def _compose(document: Document, above: tuple[Document, ...], problems: Problems) -> Composition:
    """The document upon what it extends. ``above`` are the documents that led here."""
    own = _layer(document, problems)
    ready = document.name if document.name in READY else ""
    sources = (document.name,) if document.name else ()
    if own.extends is None:
        return Composition(own, ready=ready, sources=sources)
    try:
        parent = _parent(own.extends, (*above, document))
    except ConfigError as error:
        problems.take(error)
        return Composition(own, ready=ready, sources=sources)
    below = _compose(parent, (*above, document), problems)
    return Composition(own.upon(below.layer), ready=ready or below.ready, sources=sources + below.sources)


def _layer(document: Document, problems: Problems) -> Layer:
    data = document.data
    if data is None:
        return Layer()
    if isinstance(data, Mapping):
        return read_layer(data, document.prefix, problems)
    if isinstance(data, list | tuple):
        return read_rows(data, document.prefix, problems)
    problems.add(
        f"{document.prefix}the file must hold a mapping, or a list of DeepSeek Harness rows (got {type(data).__name__})"
    )
    return Layer()


def _parent(name: str, trail: tuple[Document, ...]) -> Document:
    """The document that the last one of ``trail`` extends."""
    heir = trail[-1]
    parent = _ready(name) if name in READY else _file(name, heir.folder, f"{heir.prefix}extends")
    circle = [document.name for document in trail if document.name]
    if any(parent.identity == document.identity for document in trail):
        raise ConfigError((f"{heir.prefix}extends goes in a circle: {' -> '.join([*circle, parent.name])}",))
    return parent


def _open(source: object) -> Document:
    if isinstance(source, str):
        return _ready(source) if source in READY else _file(source, None, "policy")
    if isinstance(source, os.PathLike):
        return _read(os.fsdecode(source), None)
    if isinstance(source, Mapping | list | tuple):
        return Document(source)
    accepted = "a Policy, a ready policy's name, the path of a file, a mapping or a list of rows"
    raise ConfigError((f"policy must be {accepted} (got {shown(source)})",))


def _ready(name: str) -> Document:
    return Document(READY[name], name=name, identity=name)


def _file(name: str, folder: Path | None, place: str) -> Document:
    """The file that ``name`` stands for; ``place`` is where the name was written."""
    from pathlib import Path  # noqa: PLC0415 - a ready policy or a mapping is built without it

    from toolbrake.config._files import is_file_name  # noqa: PLC0415 - see above

    if is_file_name(name, folder or Path()):
        return _read(name, folder)
    near = nearest(name, READY)
    hint = f"; did you mean {near}?" if near else ""
    raise ConfigError(
        (f"{place}: {name!r} is no ready policy ({', '.join(READY)}), and there is no file of that name{hint}",)
    )


def _read(name: str, folder: Path | None) -> Document:
    from pathlib import Path  # noqa: PLC0415 - see _file

    from toolbrake.config._files import read_file  # noqa: PLC0415 - see _file

    path = (folder or Path()) / name
    return Document(read_file(path), name=str(path), identity=str(path.resolve()), folder=path.parent)
