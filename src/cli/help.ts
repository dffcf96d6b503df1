import { COMMANDS } from './command-table.ts';
import type { ArgumentSpec, CommandSpec, OptionSpec } from './command.ts';
import type { Paint } from './output/colours.ts';
import { columns, wrap } from './output/wrap.ts';
import { COMMON_OPTIONS } from './option-values.ts';

/** How a help page is to look. */
export interface HelpStyle {
  readonly paint: Paint;
  /** In columns; a pipe has no end, and gets the width of a page. */
  readonly width: number;
}

const PAGE = 80;
const NAME = 'toolwright';

/** What `toolwright` is and which commands it has. */
export function programHelp({ paint, width }: HelpStyle): string {
  const page = Math.min(width, PAGE);
  const [first] = COMMANDS;
  return [
    ...(first === undefined ? [] : [exampleLines(first.examples.slice(0, 1), page, paint), '']),
    wrap(`Usage: ${NAME} <command> [options]`, page, '  '),
    '',
    paint.bold('Commands'),
    columns(
      COMMANDS.map(({ name, summary }) => [paint.cyan(name), summary]),
      page,
    ),
    '',
    ...optionLines('Options of every command', [...COMMON_OPTIONS, HELP, VERSION], page, paint),
    '',
    wrap(`\`${NAME} <command> --help\` has examples, arguments and options of a command.`, page),
  ].join('\n');
}

/** How one command is used, examples first. */
export function commandHelp(spec: CommandSpec, { paint, width }: HelpStyle): string {
  const page = Math.min(width, PAGE);
  return [
    exampleLines(spec.examples, page, paint),
    '',
    wrap(usageOf(spec), page, '  '),
    '',
    wrap(`${spec.summary}.`, page),
    ...(spec.arguments.length === 0
      ? []
      : [
          '',
          paint.bold('Arguments'),
          columns(
            spec.arguments.map((each) => [paint.cyan(placeOf(each)), each.summary]),
            page,
          ),
        ]),
    '',
    ...(spec.options.length === 0 ? [] : [...optionLines('Options', spec.options, page, paint), '']),
    ...optionLines('Options of every command', [...COMMON_OPTIONS, HELP], page, paint),
  ].join('\n');
}

/** `Usage: toolwright list <entry> [options]` */
export function usageOf(spec: CommandSpec): string {
  return `Usage: ${[NAME, spec.name, ...spec.arguments.map(placeOf), '[options]'].join(' ')}`;
}

/** An argument as commander reads it and help shows it. */
export function placeOf({ name, arity = 'one' }: ArgumentSpec): string {
  return { one: `<${name}>`, optional: `[${name}]`, many: `[${name}...]` }[arity];
}

const HELP: OptionSpec = { flags: '-h, --help', summary: 'show this' };
const VERSION: OptionSpec = { flags: '-V, --version', summary: 'print the version' };

function exampleLines(examples: CommandSpec['examples'], width: number, paint: Paint): string {
  return [
    paint.bold(examples.length === 1 ? 'Example' : 'Examples'),
    columns(
      examples.map(([line, what]) => [paint.green(`${NAME} ${line}`), what]),
      width,
    ),
  ].join('\n');
}

function optionLines(
  title: string,
  options: readonly OptionSpec[],
  width: number,
  paint: Paint,
): readonly string[] {
  return [
    paint.bold(title),
    columns(
      options.map(({ flags, summary, choices }) => [
        paint.cyan(flags),
        choices === undefined ? summary : `${summary}: ${choices.join(', ')}`,
      ]),
      width,
    ),
  ];
}
