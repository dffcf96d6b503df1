import type { CheckExplanation, ExplainedInput } from '../../index.ts';
import { didYouMean } from '../../shared/did-you-mean.ts';
import type { RunCommand } from '../command.ts';
import { CliError, EXIT } from '../output/cli-error.ts';
import type { Paint } from '../output/colours.ts';
import { columns, wrap } from '../output/wrap.ts';
import { chooseEntry } from '../target/default-entry.ts';
import { loadEntry } from '../target/entry.ts';
import { splitValues } from '../target/target.ts';

interface ExplainOptions {
  readonly timeout?: number;
}

/** Says for each input by what it is checked, and why. */
export const run: RunCommand<ExplainOptions> = async ({ values, options }, terminal) => {
  const {
    reference,
    rest: [name],
  } = splitValues(values);
  const entry = await loadEntry(chooseEntry(reference), { timeout: options.timeout });
  try {
    const { application } = entry.created;
    const all = application.explain();
    const listed = application.registry.listed(undefined);
    const single = new Set(
      listed.filter((tool) => tool.discriminator === undefined).map((tool) => tool.name),
    );
    const namesOf = (input: ExplainedInput): readonly string[] => readNames(input, single);
    const chosen = name === undefined ? all : all.filter((input) => namesOf(input).includes(name));
    if (name !== undefined && chosen.length === 0) throw unknownInput(name, all.flatMap(namesOf));
    const isWhole = name !== undefined || terminal.isVerbose;
    const named = chosen.map((input) => [namesOf(input)[0] ?? '', input] as const);
    terminal.give(chosen, () => explainText(named, terminal.paint, terminal.width, isWhole));
    return EXIT.done;
  } finally {
    await entry.close();
  }
};

function explainText(
  inputs: readonly (readonly [name: string, input: ExplainedInput])[],
  paint: Paint,
  width: number,
  isWhole: boolean,
): string {
  const shown = inputs.map(([name, input]) => {
    const checks = input.checks.map((check) => checkText(check, width, isWhole));
    const text =
      checks.length === 0
        ? '  No DTO class: it has no input, or a schema of another kind.'
        : checks.join('\n');
    return `${paint.bold(name)}\n${wrap(text, width, '  ')}`;
  });
  return shown.length === 0 ? 'Nothing takes an input.' : shown.join('\n\n');
}

const PATHS: Readonly<Record<CheckExplanation['path'], string>> = {
  generated: 'by code written for the class',
  closures: 'by functions put together for the class',
  'class-stack': 'by class-transformer and class-validator',
};

function checkText({ dto, path, reason, rules }: CheckExplanation, width: number, isWhole: boolean): string {
  const called = rules.filter(({ how }) => how === 'called');
  const listed = isWhole ? rules : called;
  const rows = listed.map(
    ({ property, rule, how, why }) =>
      [`${property} ${rule}`, why === undefined ? how : `${how}: ${why}`] as const,
  );
  const head = `  ${dto}: ${PATHS[path]}; ${reason}`;
  return rows.length === 0 ? head : `${head}\n${columns(rows, width, '    ')}`;
}

/** The name that a command line uses, then others that are understood. @param single the tools that are one action */
function readNames({ kind, tool, name }: ExplainedInput, single: ReadonlySet<string>): readonly string[] {
  if (tool === undefined || kind !== 'action') return [name];
  return single.has(tool) ? [tool, name] : [`${tool}.${name}`, name];
}

function unknownInput(name: string, known: readonly string[]): CliError {
  const nearest = didYouMean(name, known);
  return new CliError(
    'TW_CLI_NAME',
    {
      where: 'The application',
      what: `has no action, prompt or resource ${JSON.stringify(name)}${nearest === undefined ? '.' : `; ${nearest}`}`,
      fix: 'toolwright list shows what there is',
    },
    EXIT.refused,
  );
}
