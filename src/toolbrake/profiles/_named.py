"""The built-in tools of coding agents and the common MCP servers, by name.

One row a tool or a family that shares its arguments. Sources: the tools' own schemas as the clients and servers
publish them.
"""

from __future__ import annotations

from toolbrake.core.profile import ToolProfile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

FILE = ("file_path", "path", "filePath", "absolute_path", "target_file", "filepath", "notebook_path", "file")
"""How file tools name their file."""

RANGE = ("offset", "start_line", "startLine", "start_line_one_indexed", "line", "start", "page", "cursor", "view_range")
"""How tools name where in a target they look."""

LABELS = ("description", "title", "timeout", "timeout_ms", "timeoutMs", "timeoutSeconds", "timeout_seconds") + (
    "justification",
    "reason",
    "comment",
    "with_escalated_permissions",
    "is_background",
    "run_in_background",
    "yield_time_ms",
    "max_output_tokens",
    "blocking",
    "security_risk",
    "requires_approval",
)
"""How shell tools label a command, bound it and ask for it."""


def _each(names: str, **facts: object) -> Iterable[ToolProfile]:
    for name in names.split():
        yield ToolProfile(name, **facts)  # type: ignore[arg-type]  # the facts of ToolProfile


NAMED: tuple[ToolProfile, ...] = (
    # Shells. Claude Code, Codex, Gemini CLI, Qwen Code, OpenCode, Copilot CLI, Cursor, DeepSeek Harness, OpenHands,
    # SWE-agent, mini-swe-agent, OpenClaw.
    *_each(
        "Bash bash shell local_shell run_shell_command run_terminal_cmd run_terminal_command execute_bash terminal exec"
        " run_command execute_command run run_in_terminal Shell sh shell.exec bg_shell powershell pwsh PowerShell",
        does="run",
        command="command",
        decoration=LABELS,
    ),
    *_each("exec_command unified_exec shell_command", does="run", command="cmd", decoration=LABELS),
    *_each("execute", does="run", command="command", decoration=LABELS),
    # Code.
    *_each(
        "python run_cell execute_code run_code ipython execute_ipython_cell NotebookExecute jupyter python_repl"
        " mcp__ide__executeCode code_interpreter",
        does="run",
        decoration=LABELS,
    ),
    # Looking at a process that runs.
    *_each(
        "BashOutput TaskOutput bash_output read_bash write_stdin read_output get_command_output command_status"
        " shell_output process_status check_command_status KillShell_status AgentOutputTool",
        does="wait",
        decoration=LABELS,
    ),
    *_each("wait sleep Sleep wait_for wait_agent wait_for_previous_tools browser_wait_for Wait", does="wait"),
    # Files.
    *_each(
        "Read read read_file read-file file-read fs-read file_read view view_file open_file cat open Read_file"
        " read_text_file read_media_file read_multiple_files read_many_files get_file_contents NotebookRead",
        does="read",
        paths=FILE,
        position=RANGE,
        decoration=("description", "explanation"),
    ),
    *_each(
        "Write write write_file create_file create_new_file create write_to_file save_file Edit edit edit_file replace"
        " str_replace str_replace_editor str_replace_based_edit_tool MultiEdit multi_edit apply_patch apply_diff"
        " search_replace NotebookEdit edit_notebook insert insert_content replace_in_file multiedit move_file"
        " delete_file create_directory patch",
        does="write",
        paths=FILE,
        decoration=("description", "explanation", "instructions"),
    ),
    *_each(
        "Grep grep grep_search search_files rg ripgrep search_file_content codebase_search Glob glob file_search"
        " list_directory list_dir LS ls list_files list_files_recursive directory_tree get_file_info search_dir"
        " search_file find_file list find_files",
        does="read",
        paths=("path", "dir_path", "directory", "target_directory", "relative_workspace_path", "dir"),
        decoration=("description", "explanation"),
    ),
    # The web.
    *_each(
        "WebFetch web_fetch fetch webfetch fetch_url get_url http_get browser_navigate web_extract fetch_webpage",
        does="read",
        paths=("url", "uri"),
        position=("start_index", "offset", "page"),
        decoration=("description",),
    ),
    *_each(
        "WebSearch web_search google_web_search websearch search_web search Search tool_search ToolSearch Lookup"
        " lookup",
        does="read",
        position=("page", "offset", "cursor"),
        decoration=("description", "explanation"),
    ),
    *_each("browser_snapshot browser_take_screenshot browser_console_messages browser_network_requests", does="read"),
    # Sub-agents, thought and bookkeeping.
    *_each(
        "Task task Agent spawn_agent dispatch_agent call_agent delegate delegate_work ask_question ask_agent*"
        " runSubagent send_input transfer_to_*_agent",
        does="spawn",
    ),
    *_each(
        "think Think sequentialthinking sequential_thinking TodoWrite todo_write TodoRead todowrite todoread"
        " update_plan write_todos update_todo_list task_tracker Finish finish submit attempt_completion save_memory"
        " exit_plan_mode ExitPlanMode AskUserQuestion ask_user ask_followup_question",
        does="think",
    ),
    # MCP servers by the name their clients give them: git, github, postgres, sqlite, memory.
    *_each("git_status git_diff git_diff_staged git_diff_unstaged git_log git_show git_branch", does="read"),
    *_each("git_add git_commit git_checkout git_reset git_create_branch git_init", does="write"),
    *_each("read_query query list_tables describe_table execute_sql list_schemas get_object_details", does="read"),
    *_each("write_query create_table append_insight", does="write"),
    *_each("read_graph search_nodes open_nodes memory_search memory_get memory_recall recall_history", does="read"),
)
