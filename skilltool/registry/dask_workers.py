"""Workers of a Dask cluster: one that runs somewhere, or one that is started here."""

from __future__ import annotations

import sys
import warnings
from concurrent.futures import Executor
from importlib import import_module
from typing import Any

from skilltool import __version__
from skilltool.bounds.budget import in_words
from skilltool.errors import SkilltoolError
from skilltool.registry.workers import Workers

_SECONDS_TO_CONNECT = 30
_LONGEST_REASON = 300  # characters of what a worker says


class DaskWorkers(Workers):
    """Threads of the workers that a scheduler has; each checks its shards in a process of its own."""

    name = "dask"

    def __init__(self, scheduler: str | None, jobs: int) -> None:
        """Connect to a scheduler, or start a cluster with so many workers here where `scheduler` is None.

        Raises `SkilltoolError` where nobody answers, no worker is there, or one has another version.
        """
        self._cluster: Any = None
        self._client = self._connected(scheduler, jobs)
        try:
            _check_versions(self._versions())
            threads = sum(self._client.nthreads().values())
            super().__init__(self._executor, max(threads, 1))
        except BaseException:
            self.close()
            raise

    def _connected(self, scheduler: str | None, jobs: int) -> Any:
        import distributed

        library: Any = distributed  # which has few types

        if scheduler is None:
            self._cluster = library.LocalCluster(
                n_workers=jobs or None, threads_per_worker=1, dashboard_address=None, silence_logs=40
            )
        try:
            with warnings.catch_warnings():
                # That versions differ: those of workers are checked here, and an error of the scheduler told.
                warnings.simplefilter("ignore", library.versions.VersionMismatchWarning)
                client = library.Client(self._cluster or scheduler, timeout=_SECONDS_TO_CONNECT)
        except (OSError, ValueError) as error:
            raise SkilltoolError(f"no Dask scheduler answers at {scheduler}: {error}") from None
        except Exception as error:
            raise SkilltoolError(
                f"the Dask scheduler at {scheduler} does not understand distributed {library.__version__}: "
                f"{_short(error)}; install the same version on both"
            ) from None
        if not client.nthreads():
            client.close()
            raise SkilltoolError(f"the Dask scheduler at {scheduler} has no workers")
        return client

    def _versions(self) -> dict[str, tuple[str, ...]]:
        """Return the `versions` of each worker by its address; raises `SkilltoolError` where one has none."""
        try:
            found: dict[str, tuple[str, ...]] = self._client.sync(
                self._client.run, versions, callback_timeout=_SECONDS_TO_CONNECT
            )
        except TimeoutError:
            waited = in_words(_SECONDS_TO_CONNECT)
            raise SkilltoolError(f"a cluster worker did not answer within {waited}; kill it") from None
        except Exception as error:  # what happened on a worker, or an `Exception` with its words
            needed = f"install `skilltool[dask]` {__version__} there"
            raise SkilltoolError(f"a worker of the cluster cannot run skilltool: {error}; {needed}") from None
        return found

    def _executor(self) -> Executor:
        executor: Executor = self._client.get_executor(pure=False)
        return executor

    def restart(self) -> None:
        """Go on: Dask itself replaces workers that died."""

    def look(self) -> None:
        """Raise `SkilltoolError` if the scheduler does not answer, or all of its workers are gone."""
        try:
            threads = self._client.sync(self._client.scheduler.ncores, callback_timeout=_SECONDS_TO_CONNECT)
        except Exception as error:  # of the connection, of a time limit, or of the scheduler
            raise self.described(error) from None
        if not threads:
            raise SkilltoolError("the Dask scheduler has no workers left; run the command again to resume")

    def described(self, error: Exception) -> Exception:
        """Return what to say of an error on a worker, or of a cluster that is gone."""
        if isinstance(error, SkilltoolError):
            return error
        return SkilltoolError(f"the Dask cluster failed: {_short(error)}; run the command again to continue")

    def close(self) -> None:
        """Leave the scheduler, and end a cluster that was started here."""
        self._client.close()
        if self._cluster is not None:
            self._cluster.close()


_PROGRAMS = ("skilltool", "Python", "distributed")


def versions() -> tuple[str, ...]:
    """Return the versions of `_PROGRAMS` of this process; raises ImportError without a library."""
    import_module("rensa")
    return (
        __version__,
        f"{sys.version_info[0]}.{sys.version_info[1]}",
        import_module("distributed").__version__,
    )


def _short(error: Exception) -> str:
    """Return the first line of what an error says, bounded."""
    return (str(error) or type(error).__name__).partition("\n")[0][:_LONGEST_REASON]


def _check_versions(found: dict[str, tuple[str, ...]]) -> None:
    ours = versions()
    for address, theirs in found.items():
        for what, one, other in zip(_PROGRAMS, theirs, ours, strict=False):  # an older skilltool tells less
            if one != other:
                raise SkilltoolError(
                    f"the worker {address} has {what} {one}, but this process has {what} {other}; "
                    "install the same version on both"
                )
