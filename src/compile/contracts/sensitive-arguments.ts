import { REDACTED } from '../../errors/redact.ts';
import type { PlainObject } from '../../shared/json.ts';
import type { SensitiveArguments } from '../../kernel/call/compiled-callable.ts';
import { allContracts, type InputContracts, type InputOptions } from './input-contracts.ts';

/** Undefined where nothing in the arguments is sensitive. */
export function compileSensitive(
  contracts: InputContracts,
  { discriminator, hasSensitive = false }: Pick<InputOptions, 'discriminator' | 'hasSensitive'>,
): SensitiveArguments | undefined {
  const redactions = allContracts(contracts).flatMap(({ redaction }) => redaction ?? []);
  if (redactions.length === 0 && !hasSensitive) return undefined;
  const isKnown = (name: string): boolean => contracts.owners.has(name) || name === discriminator;
  return Object.freeze({
    valuesIn: (args) => {
      const found = redactions.map((redaction) => redaction.valuesIn(args));
      return found.includes(undefined) ? undefined : found.flatMap((values) => values ?? []);
    },
    shown: (args) => {
      const shown = redactions.reduce((given, redaction) => redaction.shown(given), args);
      const entries = Object.entries(shown).map(([name, value]) => [name, isKnown(name) ? value : REDACTED]);
      return Object.fromEntries(entries) as PlainObject;
    },
  } satisfies SensitiveArguments);
}

/** The same for the completions of an argument: what is typed for it, and the arguments that are resolved already. */
export function compileSensitiveCompletion(
  contracts: InputContracts,
  argument: string,
): SensitiveArguments | undefined {
  const whole = compileSensitive(contracts, { discriminator: undefined });
  if (whole === undefined) return undefined;
  const partsOf = ({ value, arguments: resolved }: PlainObject): readonly PlainObject[] => [
    resolved as PlainObject,
    { [argument]: value },
  ];
  return Object.freeze({
    valuesIn: (args) => {
      const found = partsOf(args).map((part) => whole.valuesIn(part));
      return found.includes(undefined) ? undefined : found.flatMap((values) => values ?? []);
    },
    shown: (args) => Object.assign({}, ...partsOf(args).map((part) => whole.shown(part))) as PlainObject,
  } satisfies SensitiveArguments);
}
