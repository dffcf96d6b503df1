import { writeFileSync } from 'node:fs';
import { visibleText } from '../../shared/visible-text.ts';
import type { RunCommand } from '../command.ts';
import { CliError, EXIT } from '../output/cli-error.ts';
import { columns, firstLine, wrap } from '../output/wrap.ts';
import type { Terminal } from '../output/terminal.ts';
import { offersOf } from '../surface/offers.ts';
import { surfaceOfValues } from '../lock/lock-source.ts';
import { asListed, type Surface } from '../surface/surface.ts';
import type { TargetOptions } from '../target/target.ts';

type Format = 'summary' | 'mcp' | 'toolwright';

interface InspectOptions extends TargetOptions {
  readonly format?: Format;
  readonly output?: string;
}

/** Shows what a server offers: in short, as the protocol lists it, or with all that is known of it. */
export const run: RunCommand<InspectOptions> = async ({ values, options }, terminal) => {
  const surface = await surfaceOfValues(values, options);
  const format = options.format ?? (terminal.isJson ? 'toolwright' : 'summary');
  const isSummary = format === 'summary';
  const text = isSummary ? summary(surface, terminal) : jsonOf(surface, format, terminal);
  if (options.output === undefined) terminal.print(isSummary ? text : terminal.foreign(text));
  else {
    write(options.output, `${text}\n`);
    terminal.say(`Written to ${options.output}.`);
  }
  return EXIT.done;
};

function jsonOf(surface: Surface, format: Exclude<Format, 'summary'>, terminal: Terminal): string {
  const { tools, prompts, resources, resourceTemplates } = surface;
  const value =
    format === 'toolwright' ? surface : { tools: tools.map(asListed), prompts, resources, resourceTemplates };
  return JSON.stringify(value, undefined, terminal.isJson ? 0 : 2);
}

function summary(surface: Surface, terminal: Terminal): string {
  const { paint, width } = terminal;
  const { server, instructions, tools, prompts, resources, resourceTemplates, surfaceHash } = surface;
  const actions = offersOf(surface).filter(({ kind }) => kind === 'tool').length;
  const title = [server.title ?? server.name ?? 'unnamed', server.version ?? ''].join(' ').trim();
  const rows: readonly (readonly [string, string])[] = [
    ['tools', `${String(tools.length)}, with ${countOf(actions, 'action')}`],
    ['prompts', String(prompts.length)],
    ['resources', `${String(resources.length)}, and ${countOf(resourceTemplates.length, 'template')}`],
    ['surface', surfaceHash],
    ...(instructions === undefined
      ? []
      : [['instructions', terminal.foreign(visibleText(instructions))] as const]),
  ];
  const listed = tools.map(
    ({ name, description = '' }) =>
      [paint.cyan(terminal.label(name)), terminal.label(firstLine(description))] as const,
  );
  return [
    paint.bold(wrap(terminal.label(title), width)),
    columns(rows, width),
    ...(listed.length === 0 ? [] : ['', paint.bold('Tools'), columns(listed, width)]),
  ].join('\n');
}

function countOf(count: number, noun: string): string {
  return `${String(count)} ${noun}${count === 1 ? '' : 's'}`;
}

function write(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (cause) {
    throw new CliError('TW_CLI_OPTION', {
      where: '--output',
      what: `cannot be written: ${(cause as Error).message}.`,
      fix: 'name a file in a folder that exists',
      cause,
    });
  }
}
