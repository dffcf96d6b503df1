import { readFileSync } from 'node:fs';
import { layOut } from '../../.ci/format.mjs';
import { COMMANDS } from '../../src/cli/command-table.ts';
import type { CommandSpec } from '../../src/cli/command.ts';
import { placeOf, usageOf } from '../../src/cli/help.ts';
import { ROOT } from '../pins/docs/example.ts';

const PAGES = 'docs/commands/';
const GENERATED = /<!-- generated -->[^]*?<!-- \/generated -->/;

/** The pages of the commands as they should be, by their paths: what the table says is new, the rest is kept. */
export async function commandPages(): Promise<ReadonlyMap<string, string>> {
  const pages = [
    [`${PAGES}README.md`, overview()] as const,
    ...COMMANDS.map((spec) => [`${PAGES}${spec.name}.md`, pageOf(spec)] as const),
  ];
  const written = await Promise.all(
    pages.map(async ([path, text]) => {
      const block = `<!-- generated -->\n\n${text}\n\n<!-- /generated -->`;
      const page = existing(path).replace(GENERATED, () => block);
      return [path, await layOut(path, page)] as const;
    }),
  );
  return new Map(written);
}

function existing(path: string): string {
  try {
    return readFileSync(`${ROOT}${path}`, 'utf8');
  } catch {
    const name = /([^/]+)\.md$/.exec(path)?.[1] ?? '';
    return `# toolwright ${name}\n\n<!-- generated -->\n<!-- /generated -->\n`;
  }
}

function overview(): string {
  const rows = COMMANDS.map(({ name, summary }) => `| [${name}](${name}.md) | ${inTable(summary)} |`);
  return ['| Command | What it does |', '| --- | --- |', ...rows].join('\n');
}

function pageOf(spec: CommandSpec): string {
  const examples = spec.examples.map(([line, what]) => `toolwright ${line} # ${what}`);
  const given = [
    ...spec.arguments.map((each) => [placeOf(each), each.summary]),
    ...spec.options.map(({ flags, summary, choices = [] }) => [
      flags,
      choices.length === 0 ? summary : `${summary}: ${choices.join(', ')}`,
    ]),
  ];
  return [
    `${spec.summary}.`,
    '',
    '```sh',
    ...examples,
    '```',
    '',
    `\`${usageOf(spec).replace('Usage: ', '')}\``,
    '',
    '| Argument or option | Meaning |',
    '| --- | --- |',
    ...given.map(([name = '', what = '']) => `| \`${inTable(name)}\` | ${inTable(what)} |`),
    '',
    'The [options of every command](README.md#output) come on top.',
  ].join('\n');
}

function inTable(text: string): string {
  return text.replaceAll('|', '\\|');
}
