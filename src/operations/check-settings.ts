import type { ProblemList } from '../errors/problem-list.ts';
import { didYouMean } from '../shared/did-you-mean.ts';
import type { OfferedOperation } from './curation.ts';
import { isOfferedHeader } from './http/headers.ts';
import { CHOSEN, compileInputs } from './inputs.ts';
import { outputSchema } from './outputs.ts';
import { publishesOutput } from './settings.ts';

/** Reports settings that name what an operation does not have: fields, headers, an answer. */
export function checkSettings(operations: readonly OfferedOperation[], problems: ProblemList): void {
  for (const operation of operations) {
    reportHeaders(operation, problems);
    if (namesFields(operation)) reportFields(operation, problems);
    reportOutput(operation, problems);
  }
}

function reportHeaders(operation: OfferedOperation, problems: ProblemList): void {
  const known = operation.inputs.flatMap(({ in: place, name = '' }) => (place === 'header' ? [name] : []));
  for (const name of operation.settings.headers ?? []) {
    if (known.includes(name.toLowerCase())) continue;
    const why = isOfferedHeader(name)
      ? undefined
      : 'it says whose request it is, or belongs to the connection.';
    reportName(problems, operation, { setting: 'headers', name, known, why });
  }
}

function namesFields({ settings: { hide = [], defaults = {}, select = false } }: OfferedOperation): boolean {
  return select || hide.length > 0 || Object.keys(defaults).length > 0;
}

function reportFields(operation: OfferedOperation, problems: ProblemList): void {
  const { headers = [], hide = [], defaults = {}, select = false } = operation.settings;
  const { targets, further } = compileInputs(operation, { headers });
  const known = [...targets.keys()];
  const given = { hide, defaults: Object.keys(defaults) };
  // An input that takes further names may have any
  for (const setting of further === undefined ? (['hide', 'defaults'] as const) : []) {
    const unknown = given[setting].filter((name) => !known.includes(name));
    for (const name of unknown) reportName(problems, operation, { setting, name, known });
  }
  if (!select || !known.includes(CHOSEN)) return;
  problems.add('TW_OPERATIONS_SETTINGS', {
    where: operation.origin,
    what: 'has select: true, and a field of its own with the name fields.',
    fix: "write select: false, or fields: ['id'] for all calls",
  });
}

interface WrongName {
  readonly setting: 'hide' | 'defaults' | 'headers';
  readonly name: string;
  readonly known: readonly string[];
  readonly why?: string | undefined;
}

function reportName(
  problems: ProblemList,
  { origin }: OfferedOperation,
  { setting, name, known, why }: WrongName,
): void {
  const kind = setting === 'headers' ? 'header' : 'field';
  problems.add('TW_OPERATIONS_SETTINGS', {
    where: origin,
    what: `has ${setting} for "${name}", and takes no such ${kind}.`,
    why,
    fix:
      didYouMean(name, known) ??
      (known.length === 0 ? `remove ${setting}` : `write one of ${known.join(', ')}`),
  });
}

function reportOutput({ origin, settings, answer }: OfferedOperation, problems: ProblemList): void {
  if (!publishesOutput(settings)) return;
  const { output, fields, result } = settings;
  const said = output === 'strict' ? "output: 'strict'" : 'output: true';
  if (answer === undefined || outputSchema(answer, fields) === undefined) {
    problems.add('TW_OPERATIONS_SETTINGS', {
      where: origin,
      what: `has ${said}, and nothing says what it answers.`,
      fix: '@ApiOkResponse({ type: Task }), with a class that has validators',
    });
  }
  if (result === 'text') {
    problems.add('TW_OPERATIONS_SETTINGS', {
      where: origin,
      what: `has ${said} and result: 'text'.`,
      fix: 'remove one of the two',
    });
  }
}
