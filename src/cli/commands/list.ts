import { visibleText } from '../../shared/visible-text.ts';
import type { RunCommand } from '../command.ts';
import { EXIT } from '../output/cli-error.ts';
import { columns, firstLine } from '../output/wrap.ts';
import type { Terminal } from '../output/terminal.ts';
import { offersOf, type Offer } from '../surface/offers.ts';
import { surfaceOfValues } from '../lock/lock-source.ts';
import type { TargetOptions } from '../target/target.ts';

interface ListOptions extends TargetOptions {
  readonly tools?: boolean;
  readonly prompts?: boolean;
  readonly resources?: boolean;
  readonly names?: boolean;
  readonly schema?: boolean;
}

/** Lists actions, prompts and resources, each as it is called. */
export const run: RunCommand<ListOptions> = async ({ values, options }, terminal) => {
  const surface = await surfaceOfValues(values, options);
  const chosen = offersOf(surface).filter(({ kind }) => isChosen(kind, options));
  const { schema = false, names = false } = options;
  if (names) {
    const listed = chosen.map(({ name }) => name);
    if (terminal.isJson) terminal.json(listed);
    else if (listed.length > 0) terminal.print(listed.map((name) => terminal.label(name)).join('\n'));
    return EXIT.done;
  }
  const listed = schema ? chosen : chosen.map(({ inputSchema: _schema, ...offer }): Offer => offer);
  if (terminal.isJson) terminal.json(listed);
  else if (listed.length > 0) terminal.print(listText(listed, terminal));
  else terminal.say('It offers none of these.');
  return EXIT.done;
};

function isChosen(kind: Offer['kind'], { tools, prompts, resources }: ListOptions): boolean {
  const isAll = tools !== true && prompts !== true && resources !== true;
  if (kind === 'tool') return isAll || tools === true;
  return kind === 'prompt' ? isAll || prompts === true : isAll || resources === true;
}

const MARKS: Readonly<Record<string, 'green' | 'red' | 'yellow'>> = {
  'read-only': 'green',
  destructive: 'red',
  deprecated: 'yellow',
};

function listText(offers: readonly Offer[], terminal: Terminal): string {
  const { paint, width } = terminal;
  const rows = offers.map(({ name, signature, description = '', marks }) => {
    const rest = signature.slice(name.length);
    const words = marks.map((mark) => `[${paint[MARKS[mark] ?? 'dim'](mark)}]`);
    return [
      paint.cyan(terminal.label(name)) + terminal.label(rest),
      [...words, terminal.label(firstLine(description))].join(' ').trim(),
    ] as const;
  });
  if (offers.every(({ inputSchema }) => inputSchema === undefined)) return columns(rows, width, '');
  return rows
    .map((row, index) => {
      const schema = offers[index]?.inputSchema;
      const text = columns([row], width, '');
      return schema === undefined
        ? text
        : `${text}\n${terminal.foreign(visibleText(JSON.stringify(schema, undefined, 2)))}`;
    })
    .join('\n');
}
