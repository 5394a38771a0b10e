"""What all commands do: their help lists what one can choose from, and a mistake is one line about their options."""

from __future__ import annotations

import re
import shlex
from importlib import import_module
from inspect import cleandoc
from typing import TYPE_CHECKING, Any

import typer
from typer._click.exceptions import BadOptionUsage  # Typer's copy of click
from typer.core import TyperArgument, TyperCommand, TyperOption

from riskrank.cli.output import fail, fail_at_last, warnings_said
from riskrank.cli.panels import by_panel
from riskrank.cli.surroundings import check_surroundings
from riskrank.errors import FileError, RiskrankError

if TYPE_CHECKING:
    from typer._click import Context, HelpFormatter, Parameter
    from typer._click.shell_completion import CompletionItem

# What {rankers} and the like stand for in the help of options; loaded when somebody asks for help.
CHOICES = {
    "rankers": "riskrank.rankers:RANKERS",
    "engines": "riskrank.rankers.trees.engine:ENGINES",
    "charts": "riskrank.report.charts.catalogue:CHARTS",
    "layouts": "riskrank.clicks.logs.log_files:LAYOUTS",
    "papers": "riskrank.papers.catalogue:PAPERS",
}
PANIC = "PanicException"  # of Polars; it is no ordinary exception
CHOICE = re.compile(r"\{(\w+)\}")
LINE_BREAK = re.compile(r"(?<!\n)\n(?!\n)")  # within a paragraph, which is broken anew to fit the terminal
# A parameter in a message: start, start=, start='zero', fast=True; but nothing in quotes, which is a user's.
PARAMETER = re.compile(
    r"(?<![\w=])'.*?'(?!\w)|(?<![\w'./?&-])(?<!\w\()([a-z_]+)(=(?:'(.+?)'(?!\w)|True\b|(?![\w'])))?(?![\w=])"
)


class Command(TyperCommand):
    """A command of ours."""

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except (typer.BadParameter, BadOptionUsage) as error:
            if type(error) not in (typer.BadParameter, BadOptionUsage):  # one that is missing: usage is shown as well
                raise
            message = error.format_message()
            fail(message[0].lower() + message[1:])

    def invoke(self, ctx: Context) -> Any:
        try:
            check_surroundings()
            with warnings_said():
                return super().invoke(ctx)
        except RiskrankError as error:
            fail(in_words_of_options(error, ctx))
        except MemoryError:
            fail("there is not enough memory for this.")
        except BrokenPipeError:
            raise
        except OSError as error:  # a name too long, a loop of links, a working directory that is gone
            fail(f"{error.filename or 'the system'}: {error.strerror or error}.")
        except BaseException as error:
            if type(error).__name__ != PANIC:
                raise
            fail_at_last(f"Polars cannot go on ({str(error).partition(chr(10))[0]}).")

    def collect_usage_pieces(self, ctx: Context) -> list[str]:
        """Arguments as manuals have them: Typer puts those that are needed in braces."""
        return [piece.strip("{}") for piece in super().collect_usage_pieces(ctx)]

    def format_help(self, ctx: Context, formatter: HelpFormatter) -> None:
        self._list_choices()
        self.help = LINE_BREAK.sub(" ", cleandoc(self.help or ""))
        super().format_help(ctx, formatter)

    def get_params(self, ctx: Context) -> list[Parameter]:
        """Arguments, and options in panels by what they are for."""
        params = super().get_params(ctx)
        options = [each for each in params if isinstance(each, TyperOption) and not each.hidden]
        panels = by_panel(str(self.name), options)
        for option, panel in panels.items():
            option.rich_help_panel = panel
        return [*(each for each in params if each not in panels), *panels]

    def shell_complete(self, ctx: Context, incomplete: str) -> list[CompletionItem]:
        self._list_choices()
        return super().shell_complete(ctx, incomplete)

    def _list_choices(self) -> None:
        for option in self.params:
            if isinstance(option, TyperOption | TyperArgument) and option.help:
                option.help = CHOICE.sub(lambda choice: _choices(choice[1]), option.help)


def flags(context: Context) -> dict[str, str]:
    """What users type for the parameters of the command that runs."""
    return {str(option.name): option.opts[0] for option in context.command.params if option.opts[0].startswith("--")}


def in_words_of_options(error: RiskrankError, context: Context) -> str:
    """An error's message with flags in place of Python's parameters.

    What is written like an argument (``valid=``, ``start='zero'``) is replaced wherever the command has such an option;
    a bare name where it stands first, if the error is about an option that was given (`n_trees` may be of ``--set``).
    What users wrote themselves stays as it is: paths, addresses, and what is quoted.
    """
    flag_of = flags(context)
    given = {name for name in flag_of if getattr(context.get_parameter_source(name), "name", "") == "COMMANDLINE"}
    named = set(error.parameters) if given.intersection(error.parameters) else set()

    def replaced(parameter: re.Match[str]) -> str:
        name, is_argument, value = parameter.groups()
        if name not in flag_of or not (is_argument or name in named):
            return parameter[0]
        named.discard(name)
        return f"{flag_of[name]} {shlex.quote(value)}" if value else flag_of[name]

    where = str(error).removesuffix(error.reason) if isinstance(error, FileError) else ""
    return where + PARAMETER.sub(replaced, str(error).removeprefix(where))


def _choices(name: str) -> str:
    module, attribute = CHOICES[name].split(":")
    *names, last = getattr(import_module(module), attribute)
    return f"{', '.join(names)} or {last}"
