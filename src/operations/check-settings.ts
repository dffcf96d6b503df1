import type { ProblemList } from '../errors/problem-list.ts';
import { didYouMean } from '../shared/did-you-mean.ts';
import type { OfferedOperation } from './curation.ts';
import { isOfferedHeader } from './headers.ts';
import { compileInputs } from './inputs.ts';
import { outputSchema } from './outputs.ts';

/** Reports settings that name what an operation does not have: fields, headers, an answer. */
export function checkSettings(operations: readonly OfferedOperation[], problems: ProblemList): void {
  for (const operation of operations) {
    const { settings, origin, inputs } = operation;
    const headers = inputs.flatMap(({ in: place, name }) =>
      place === 'header' && name !== undefined ? [name] : [],
    );
    for (const header of settings.headers ?? []) {
      if (headers.includes(header.toLowerCase())) continue;
      const why = isOfferedHeader(header)
        ? undefined
        : 'it says whose request it is, or belongs to the connection.';
      reportName(problems, operation, { setting: 'headers', name: header, known: headers, why });
    }
    const { targets, further } = compileInputs(operation, { headers: settings.headers ?? [] });
    const known = [...targets.keys()];
    const isOpen = further !== undefined;
    for (const setting of ['hide', 'defaults'] as const) {
      const given = settings[setting] ?? {};
      const names = Array.isArray(given) ? (given as readonly string[]) : Object.keys(given);
      for (const name of names)
        if (!isOpen && !known.includes(name)) reportName(problems, operation, { setting, name, known });
    }
    if (settings.select === true && known.includes('fields')) {
      problems.add('TW_OPERATIONS_SETTINGS', {
        where: origin,
        what: 'has select: true, and a field of its own with the name fields.',
        fix: "write select: false, or fields: ['id'] for all calls",
      });
    }
    reportOutput(operation, problems);
  }
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

function reportOutput(
  { origin, settings: { output, fields, result }, answer }: OfferedOperation,
  problems: ProblemList,
): void {
  if (output !== true) return;
  if (answer === undefined || outputSchema(answer, fields) === undefined) {
    problems.add('TW_OPERATIONS_SETTINGS', {
      where: origin,
      what: 'has output: true, and nothing says what it answers.',
      fix: '@ApiOkResponse({ type: Task }), with a class that has validators',
    });
  }
  if (result === 'text') {
    problems.add('TW_OPERATIONS_SETTINGS', {
      where: origin,
      what: "has output: true and result: 'text'.",
      fix: 'remove one of the two',
    });
  }
}
