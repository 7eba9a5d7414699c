"""Commands whose first operands are a verb: which verbs read, which change something."""

from __future__ import annotations

from toolbrake.core._command_table import names


def _verbs(reads: str, writes: str, other: str) -> tuple[frozenset[str], frozenset[str], str]:
    return _phrases(reads), _phrases(writes), other


def _phrases(text: str) -> frozenset[str]:
    return frozenset(" ".join(phrase.split()) for phrase in text.split(",") if text)


VERBS = {
    "apk": _verbs(
        "info, list, search, policy, version, stats", "add, del, update, upgrade, fix, fetch, cache", "write"
    ),
    "apt": _verbs("list, search, show, policy, showsrc, depends, rdepends", "", "write"),
    "apt-cache": _verbs("", "", "read"),
    "apt-get": _verbs("check, changelog", "", "write"),
    "apt-key": _verbs("list", "", "write"),
    "apt-mark": _verbs("showmanual, showhold, showauto", "", "write"),
    "aptitude": _verbs("search, show, why, versions", "", "write"),
    "brew": _verbs(
        """
        list, ls, info, search, deps, doctor, config, outdated, --prefix, leaves
        """,
        "",
        "write",
    ),
    "bundle": _verbs("list, show, info, outdated, check, config", "install, update, add, remove, lock, clean", "run"),
    "cargo": _verbs(
        """
        tree, metadata, search, locate-project, pkgid, read-manifest, version, help
        """,
        """
        add, install, update, new, init, remove, rm, uninstall, clean, fix, fmt, generate-lockfile,
        vendor, publish
        """,
        "run",
    ),
    "composer": _verbs("show, info, outdated, validate, search, why", "install, update, require, remove, init", "run"),
    "conda": _verbs(
        "list, info, search, env list, config --show, activate, deactivate",
        """
        install, create, remove, uninstall, update, upgrade, env create, env remove, clean, config,
        init
        """,
        "run",
    ),
    "cpan": _verbs("", "", "write"),
    "cpanm": _verbs("", "", "write"),
    "dnf": _verbs(
        """
        list, search, info, repolist, provides, check-update, repoquery, history
        """,
        "",
        "write",
    ),
    "docker": _verbs(
        """
        ps, images, logs, inspect, stats, top, version, info, port, diff, history, search, events,
        image ls, image inspect, container ls, container logs, container inspect, volume ls, volume
        inspect, network ls, network inspect, system df, system info, compose ps, compose logs,
        compose config, compose top, compose ls, compose images, compose version, context ls,
        manifest inspect
        """,
        "",
        "write",
    ),
    "docker-compose": _verbs("ps, logs, config, top, images, port, version", "", "write"),
    "dpkg": _verbs(
        """
        -l, -L, -s, -S, --list, --listfiles, --status, --search, --print-architecture, -c, -I
        """,
        "",
        "write",
    ),
    "dpkg-query": _verbs("", "", "read"),
    "easy_install": _verbs("", "", "write"),
    "emerge": _verbs("--search, -s, --info, -p, --pretend", "", "write"),
    "gem": _verbs(
        """
        list, search, env, environment, info, contents, which, specification, outdated
        """,
        "",
        "write",
    ),
    "gh": _verbs(
        """
        pr view, pr list, pr status, pr diff, pr checks, issue view, issue list, issue status, repo
        view, repo list, run list, run view, run watch, release view, release list, workflow list,
        workflow view, search, status, auth status, gist view, gist list, label list, secret list,
        variable list, browse, cache list
        """,
        "",
        "write",
    ),
    "go": _verbs("env, version, list, doc, help", "get, install, mod, fmt, clean, work", "run"),
    "helm": _verbs(
        """
        list, ls, status, get, template, show, search, history, lint, version, env, repo list
        """,
        "",
        "write",
    ),
    "hg": _verbs(
        """
        status, st, log, diff, identify, id, cat, annotate, summary, branches, tags, heads, paths
        """,
        "",
        "write",
    ),
    "ip": _verbs(
        """
        addr, a, address, link, l, route, r, neigh, addr show, link show, route show, rule, -br, -4,
        -6
        """,
        """
        link set, link add, link del, addr add, addr del, address add, route add, route del
        """,
        "read",
    ),
    "journalctl": _verbs("", "", "read"),
    "kubectl": _verbs(
        """
        get, describe, logs, top, explain, api-resources, api-versions, version, cluster-info,
        config view, config get-contexts, config current-context, auth can-i, rollout status,
        rollout history, wait, diff, events
        """,
        "",
        "write",
    ),
    "launchctl": _verbs("list, print", "", "write"),
    "mamba": _verbs(
        "list, info, search, env list, repoquery", "install, create, remove, update, upgrade, clean", "run"
    ),
    "npm": _verbs(
        """
        ls, list, view, info, show, outdated, search, audit, config get, config list, explain, root,
        prefix, bin, why, ping, whoami, version, help, pkg get, fund, docs, -v
        """,
        """
        install, i, ci, add, uninstall, remove, rm, un, update, up, upgrade, link, init, create,
        publish, dedupe, prune, rebuild, audit fix, cache, config, config set, pkg, set,
        install-test, it, pack
        """,
        "run",
    ),
    "openssl": _verbs("version, x509, s_client, asn1parse, ciphers, verify", "", "run"),
    "pacman": _verbs("-Q, -Qi, -Ql, -Qs, -Ss, -Si", "", "write"),
    "pip": _verbs(
        """
        list, show, freeze, check, search, index, config, debug, help, cache, hash, inspect,
        --version
        """,
        "install, uninstall, download, wheel",
        "run",
    ),
    "pipenv": _verbs("graph, check, --where, --venv", "install, uninstall, update, lock, sync, clean, upgrade", "run"),
    "pipx": _verbs("list, environment", "install, uninstall, upgrade, inject, reinstall", "run"),
    "pnpm": _verbs(
        "ls, list, view, info, outdated, why, audit, root, bin, help",
        """
        install, i, add, remove, rm, uninstall, update, up, link, init, create, publish, prune,
        rebuild, import
        """,
        "run",
    ),
    "podman": _verbs(
        """
        ps, images, logs, inspect, stats, top, version, info, port, diff, history, search
        """,
        "",
        "write",
    ),
    "poetry": _verbs(
        "show, check, env info, env list, config, about, version, search",
        "install, add, remove, update, lock, init, new, publish, build, self",
        "run",
    ),
    "rpm": _verbs("-q, -qa, -qi, -ql, -qf, --query, -V", "", "write"),
    "rustup": _verbs("show, toolchain list, target list, component list, which, doc", "", "write"),
    "service": _verbs("--status-all", "", "service"),
    "snap": _verbs("list, find, info, version, changes, services", "", "write"),
    "svn": _verbs("status, st, log, diff, info, list, ls, cat, blame, propget, proplist", "", "write"),
    "systemctl": _verbs(
        """
        status, is-active, is-enabled, is-failed, list-units, list-unit-files, list-timers,
        list-sockets, show, cat, get-default, list-dependencies, is-system-running
        """,
        "",
        "write",
    ),
    "terraform": _verbs(
        """
        plan, show, output, validate, version, state list, state show, providers, graph
        """,
        "",
        "write",
    ),
    "tmux": _verbs(
        "capture-pane, list-panes, list-windows, list-sessions, ls, has-session, display-message, show-options",
        "",
        "run",
    ),
    "uv": _verbs(
        """
        pip list, pip show, pip freeze, pip check, pip tree, tree, version, help, python list,
        python find, tool list, cache dir
        """,
        """
        add, remove, sync, lock, venv, init, pip install, pip uninstall, pip sync, pip compile, tool
        install, tool uninstall, python install, publish, build, export, cache clean
        """,
        "run",
    ),
    "yarn": _verbs(
        """
        list, info, why, outdated, audit, config get, config list, versions, help
        """,
        """
        install, add, remove, upgrade, up, link, init, create, publish, import, dedupe, set, config
        set, cache
        """,
        "run",
    ),
    "yum": _verbs("list, search, info, repolist, provides, check-update, history", "", "write"),
    "zypper": _verbs("search, se, info, if, list-updates, lu, repos, lr, packages", "", "write"),
}
"""What reads, what writes, and what any other verb does. A verb may be two words, or an option."""

RUN_VERBS = {
    "docker": _phrases("exec, compose exec, container exec"),
    "docker-compose": _phrases("exec"),
    "kubectl": _phrases("exec"),
    "podman": _phrases("exec"),
}
"""Verbs that run a command elsewhere."""

VERB_VALUED = {
    "apt-get": "oct",
    "conda": "np",
    "docker": "Hf",
    "docker-compose": "fp",
    "gh": "R",
    "helm": "n",
    "journalctl": "un",
    "kubectl": "nl",
    "systemctl": "Htnp",
}
"""Options that may stand before the verb and take the next word."""

CLOUDS = names("aws az doctl fly flyctl gcloud gsutil heroku ibmcloud oci vercel")
"""Command lines of providers; a verb that reads begins with one of ``CLOUD_READS``."""

CLOUD_READS = ("describe", "get", "list", "ls", "show", "status", "logs", "head", "whoami", "search", "info")

FOLLOWS = {
    "docker": ("logs", "-f --follow"),
    "docker-compose": ("logs", "-f --follow"),
    "gh": ("watch", ""),
    "journalctl": ("", "-f --follow"),
    "kubectl": ("logs", "-f --follow"),
    "podman": ("logs", "-f --follow"),
}
"""Verb and options with which a command of ``VERBS`` goes on until something happens."""

WAIT_VERBS = frozenset({("kubectl", "wait"), ("kubectl", "rollout"), ("docker", "wait"), ("podman", "wait")})
