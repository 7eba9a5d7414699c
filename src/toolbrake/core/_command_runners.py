"""Commands that run other commands or code, as literal tables."""

from __future__ import annotations

from toolbrake.core._command_table import names

WRAPPERS = {
    "builtin": "",
    "busybox": "",
    "caffeinate": "t",
    "chronic": "",
    "command": "",
    "doas": "Cu",
    "env": "uCS",
    "exec": "a",
    "flock": "wE",
    "gtimeout": "ks",
    "ionice": "cnp",
    "nice": "n",
    "nohup": "",
    "rlwrap": "",
    "setsid": "",
    "stdbuf": "eio",
    "sudo": "CghprTtUu",
    "time": "fo",
    "timeout": "ks",
    "unbuffer": "",
    "xvfb-run": "ens",
}
"""Commands that run the rest of their words, and their options that take the next word."""

WRAPPER_OPERANDS = {"timeout": 1, "gtimeout": 1, "flock": 1}
"""How many operands of a wrapper stand before the command that it runs."""

LAUNCHERS = {
    "bundle": "exec",
    "conda": "run",
    "hatch": "run",
    "pdm": "run",
    "pipenv": "run",
    "pipx": "run",
    "poetry": "run",
    "rye": "run",
    "uv": "run",
}
"""Tools that run the rest of their words after this verb."""

SHELLS = names("ash bash dash ksh sh zsh")

INTERPRETERS = {
    "bun": "e",
    "deno": "",
    "elixir": "e",
    "ipython": "cm",
    "julia": "eE",
    "lua": "e",
    "node": "ep",
    "nodejs": "ep",
    "php": "r",
    "pypy": "cm",
    "python": "cmWX",
    "Rscript": "e",
    "ruby": "e",
}
"""Interpreters, and their options that take code, a module or a setting."""

WRITE_MARKS = (
    ".write(",
    ".writelines(",
    "write_text(",
    "write_bytes(",
    "writeFile",
    "appendFile",
    "json.dump(",
    "pickle.dump(",
    "yaml.dump(",
    "np.save",
    "torch.save(",
    ".to_csv(",
    ".savefig(",
    "os.remove(",
    "os.unlink(",
    "os.rename(",
    "os.replace(",
    "os.mkdir(",
    "os.makedirs(",
    ".unlink(",
    ".mkdir(",
    "shutil.copy",
    "shutil.move(",
    "shutil.rmtree(",
    "File.write",
    "file_put_contents(",
    "fs.rm",
    "fs.mkdir",
    "fs.rename",
    ".commit(",
)
"""In inline code: it changes something. Names of calls, so that a word in a comment rarely says the same."""

FETCH_MARKS = ("requests.", "urlopen(", "urllib", "httpx", "http.client", "fetch(", "axios", "Net::HTTP", "aiohttp")
"""In inline code: the URLs in it are fetched."""

SLEEP_MARKS = ("time.sleep(", "asyncio.sleep(")
"""In inline code: what follows is a number of seconds."""

SOURCED_SETTINGS = names("""
    .bash_aliases .bash_profile .bashrc .env .profile .zshrc activate activate.fish conda.sh env nvm.sh profile
    """)
"""Files that are sourced for the variables they set."""
