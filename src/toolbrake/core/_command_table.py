"""What is known about commands by their names, as literal tables. Functions elsewhere look things up here.

A table holds what most calls of a command do. What depends on its options stands in the modules that handle it:
``_command_files``, ``_command_tools``, ``_command_code``. A command that is in no table runs code, and what that
changes is not known.
"""

from __future__ import annotations


def names(text: str) -> frozenset[str]:
    """The words of a text, as a set."""
    return frozenset(text.split())


IDLE = names(": true false echo printf cd exit return break continue shift pushd popd clear reset")
"""Neither change anything nor tell what the caller did not know, as long as their words are plain."""

SETTINGS = names(
    """
    alias bg bind builtin complete declare disown enable export fg getopts hash let local logout mapfile read
    readarray readonly set shopt stty sync tput typeset ulimit umask unalias unset
    """
)
"""Concern the shell they run in, and nothing that outlives it."""

STATE = names(
    """
    apropos arch basename bc cal compgen date dc dirname dirs dmesg env expr factor free getconf getent groups help
    history hostid hostname id ifconfig info iostat jobs last lastlog locale locate lscpu lsmod lsof lspci lsusb man
    mpstat netstat nproc numfmt nvidia-smi pgrep pidof pmap printenv ps pstree pwd sar seq ss times top tr tty type
    uname uptime users vmstat w whatis whereis which who whoami yes
    """
)
"""Tell about the machine or work on their words and input; they read no file that they name."""

READS = {
    "addr2line": (0, "e", ""),
    "ag": (1, "ABCmG", "."),
    "ack": (1, "ABCm", "."),
    "b2sum": (0, "", ""),
    "base32": (0, "w", ""),
    "base64": (0, "w", ""),
    "bat": (0, "lrHm", ""),
    "batcat": (0, "lrHm", ""),
    "bzcat": (0, "", ""),
    "cat": (0, "", ""),
    "cksum": (0, "a", ""),
    "cloc": (0, "", "."),
    "cmp": (0, "in", ""),
    "column": (0, "csoN", ""),
    "comm": (0, "", ""),
    "cut": (0, "bcdf", ""),
    "df": (0, "Bt", ""),
    "diff": (0, "CUIxXFW", ""),
    "dir": (0, "ITw", "."),
    "du": (0, "Bdt", "."),
    "egrep": (1, "ABCmdDef", ""),
    "exa": (0, "LIst", "."),
    "exiftool": (0, "", ""),
    "expand": (0, "t", ""),
    "eza": (0, "LIst", "."),
    "fd": (1, "etdEx", "."),
    "fgrep": (1, "ABCmdDef", ""),
    "ffprobe": (0, "iv", ""),
    "file": (0, "mFP", ""),
    "fmt": (0, "wpg", ""),
    "fold": (0, "w", ""),
    "getfacl": (0, "", ""),
    "grep": (1, "ABCmdDef", ""),
    "head": (0, "cn", ""),
    "hexdump": (0, "efns", ""),
    "hd": (0, "efns", ""),
    "identify": (0, "", ""),
    "join": (0, "12aeojtv", ""),
    "jq": (1, "fL", ""),
    "ldd": (0, "", ""),
    "less": (0, "", ""),
    "ls": (0, "ITw", "."),
    "lsattr": (0, "", "."),
    "lsblk": (0, "o", ""),
    "md5sum": (0, "", ""),
    "more": (0, "n", ""),
    "namei": (0, "", ""),
    "nl": (0, "bdfhilnsvw", ""),
    "nm": (0, "", ""),
    "objdump": (0, "bjmM", ""),
    "od": (0, "AjNtwS", ""),
    "paste": (0, "d", ""),
    "pdfinfo": (0, "", ""),
    "pr": (0, "hlow", ""),
    "readelf": (0, "px", ""),
    "readlink": (0, "", ""),
    "realpath": (0, "", ""),
    "rev": (0, "", ""),
    "rg": (1, "ABCEefgjmMtT", "."),
    "sdiff": (0, "w", ""),
    "sha1sum": (0, "", ""),
    "sha224sum": (0, "", ""),
    "sha256sum": (0, "", ""),
    "sha384sum": (0, "", ""),
    "sha512sum": (0, "", ""),
    "shuf": (0, "ino", ""),
    "size": (0, "", ""),
    "stat": (0, "c", ""),
    "strings": (0, "ent", ""),
    "sum": (0, "", ""),
    "tac": (0, "s", ""),
    "tree": (0, "LPI", "."),
    "unexpand": (0, "t", ""),
    "vdir": (0, "ITw", "."),
    "view": (0, "", ""),
    "wc": (0, "", ""),
    "xzcat": (0, "", ""),
    "zcat": (0, "", ""),
    "zgrep": (1, "ABCmef", ""),
    "zipinfo": (0, "", ""),
    "zless": (0, "", ""),
}
"""Read the files that they name: operands that are no files, options that take the next word, what no file means."""

CHANGES = {
    "bunzip2": (0, "", "all"),
    "bzip2": (0, "", "all"),
    "chattr": (1, "", "all"),
    "chgrp": (1, "", "all"),
    "chmod": (1, "", "all"),
    "chown": (1, "", "all"),
    "cp": (0, "tS", "last"),
    "dos2unix": (0, "", "all"),
    "ed": (0, "p", "all"),
    "ex": (0, "ct", "all"),
    "fallocate": (0, "lo", "all"),
    "gunzip": (0, "S", "all"),
    "gzip": (0, "S", "all"),
    "install": (0, "gmotS", "last"),
    "ln": (0, "tS", "last"),
    "lz4": (0, "", "all"),
    "mkdir": (0, "m", "all"),
    "mkfifo": (0, "m", "all"),
    "mknod": (0, "m", "first"),
    "mv": (0, "tS", "all"),
    "rm": (0, "", "all"),
    "rmdir": (0, "", "all"),
    "rsync": (0, "efTB", "last"),
    "scp": (0, "cFiJloPS", "last"),
    "setfacl": (0, "mxMX", "all"),
    "shred": (0, "ns", "all"),
    "sponge": (0, "", "all"),
    "srm": (0, "", "all"),
    "tee": (0, "", "all"),
    "touch": (0, "drt", "all"),
    "truncate": (0, "rs", "all"),
    "unix2dos": (0, "", "all"),
    "unlink": (0, "", "all"),
    "unxz": (0, "", "all"),
    "unzstd": (0, "", "all"),
    "virtualenv": (0, "p", "last"),
    "xz": (0, "T", "all"),
    "zip": (0, "ix", "first"),
    "zstd": (0, "T", "all"),
}
"""Change files that they name: operands that are no files, options that take the next word, which operands change."""

ONLY_SHOWS = {
    "bunzip2": "ct",
    "bzip2": "ct",
    "gunzip": "clt",
    "gzip": "clt",
    "rsync": "n",
    "unxz": "clt",
    "unzstd": "clt",
    "xz": "clt",
    "zstd": "clt",
}
"""Options with which a command of ``CHANGES`` changes nothing: it only shows what it would write."""

FORMATTERS = {
    "autoflake": "--in-place -i",
    "autopep8": "--in-place -i",
    "biome": "--write --fix",
    "black": "",
    "clang-format": "-i",
    "dprint": "",
    "eslint": "--fix",
    "flake8": "-never",
    "gofmt": "-w",
    "goimports": "-w",
    "isort": "",
    "mypy": "-never",
    "prettier": "--write -w",
    "pylint": "-never",
    "pyright": "-never",
    "rubocop": "-a -A --autocorrect",
    "ruff": "--fix format",
    "rustfmt": "",
    "shellcheck": "-never",
    "shfmt": "-w",
    "stylua": "",
    "yapf": "-i --in-place",
}
"""Linters and formatters: the words with which they change the files they name; empty: always, unless told to check;
``-never``: whatever they are told.
"""

CHANGES_ANYTHING = names("""
    adduser addgroup chage chpasswd chsh delgroup deluser fdisk groupadd groupdel halt hostnamectl insmod ip6tables
    iptables killall ldconfig losetup mkfs mkswap modprobe mount nft parted passwd pkill pm2 poweroff reboot renice
    rmmod shutdown skill supervisorctl swapoff swapon timedatectl ufw umount update-alternatives useradd userdel
    usermod xkill
    """)
"""Change something that no path in them names: accounts, processes, the kernel."""

NETWORK = names("curlie dig ftp host http https lynx nc ncat nmap nslookup ping ping6 sftp telnet traceroute whois xh")
"""Talk to the hosts that they name, and change nothing here."""

WAITS = names("inotifywait wait wait-for wait-for-it wait-for-it.sh wait-on watch")
"""Are there to let time pass."""

RUNS_ONLY_CODE = names("""
    ant bazel bun c++ cc clang clang++ cmake configure ctest deno dotnet elixir emacs erl g++ gcc ghc gfortran go
    gradle gradlew java javac jest julia just ld lua make meson mix mocha mvn mvnw nano nasm ninja node nodejs nosetests
    nox npx ocaml parallel perl php phpunit pnpx pwsh pytest py.test Rscript rake rspec ruby rustc sbt scala swift
    tclsh tox tsc tsx vi vim vitest yarn zig
    """)
"""Known to run code or to be driven by hand; listed so that their words are not mistaken for a wrapped command."""
