import { readFileSync } from 'node:fs';
import { optionError } from '../errors/option-errors.ts';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import { frozenCopy } from '../shared/deep-freeze.ts';
import { isPlainObject } from '../shared/json.ts';
import {
  checkOptions,
  filledText,
  listOf,
  objectOf,
  oneOf,
  required,
  rule,
  texts,
  wholeNumber,
  type OptionRule,
  type OptionRules,
} from '../shared/option-rules.ts';
import type { ClientChoices, KnownClient, KnownClients } from './clients.ts';
import { FACT_RULES } from './facts.ts';

/** What a user knows better, in the form of the file of clients. */
interface Corrections {
  readonly edition?: string;
  readonly clients: Readonly<Record<string, Partial<KnownClient>>>;
}

const MAX_NAME_LENGTH = 128;
const count = wholeNumber(1);

const CHOICE_RULES: OptionRules<ClientChoices> = {
  surface: oneOf('own', 'grouped', 'grouped-by-risk', 'flat', 'progressive'),
  describe: oneOf('own', 'plain', 'toon', 'signatures'),
  describeChars: count,
  defaults: oneOf('inline'),
  result: oneOf('both', 'structured', 'text'),
  outputSchema: rule('false', (value) => value === false),
  // What is said of a result that is too long has to fit as well
  budget: objectOf({ tokens: wholeNumber(512), chars: wholeNumber(2048) }),
  flatUpTo: count,
  flatOverBytes: count,
};

const CLIENT: OptionRule = objectOf<KnownClient>({
  title: filledText,
  kind: oneOf('directory'),
  match: listOf(rule('a name, which may end in *', isMatch)),
  userAgent: texts,
  facts: objectOf(FACT_RULES),
  choices: objectOf(CHOICE_RULES),
});

const RULES: OptionRules<Corrections> = {
  edition: filledText,
  clients: required({
    allowed: 'an object with a client under each key',
    faultsOf: (value, path) =>
      isPlainObject(value)
        ? Object.entries(value).flatMap(([id, client]) => [
            ...(isMatch(id) ? [] : KEY.faultsOf(id, path)),
            ...CLIENT.faultsOf(client, `${path}.${id}`),
          ])
        : CLIENT.faultsOf(undefined, path),
  }),
};

const KEY = rule('an object whose keys are names of clients', isMatch);

/**
 * Adds corrections to what is known: facts and choices one by one, other members as a whole. A key that is not known
 * is a new client; without `match` it is the name of the client, too.
 * @param given such an object, or the path of a JSON file with one
 * @throws ToolwrightError TW_PROFILES_INVALID, with every key that is wrong
 */
export function correctClients(known: KnownClients, given: unknown): KnownClients {
  const where = typeof given === 'string' ? given : 'profiles';
  const corrections = typeof given === 'string' ? readFile(given) : given;
  const faults = checkOptions(corrections, RULES);
  if (faults.length > 0) throw optionError('TW_PROFILES_INVALID', where, faults);
  const { edition = known.edition, clients } = corrections as Corrections;
  const corrected = new Map(Object.entries(known.clients));
  for (const [id, client] of Object.entries(clients)) {
    const before: KnownClient = corrected.get(id) ?? { title: id, match: [id], facts: {} };
    const { facts, choices, ...others } = client;
    corrected.set(id, {
      ...before,
      ...others,
      facts: { ...before.facts, ...facts },
      ...((before.choices ?? choices) && { choices: { ...before.choices, ...choices } }),
    });
  }
  return frozenCopy({ edition, clients: Object.fromEntries(corrected) });
}

/** A name, or the beginning of one and `*`. */
function isMatch(value: unknown): boolean {
  return typeof value === 'string' && value.length <= MAX_NAME_LENGTH && /^[^*\p{Cc}]+\*?$/u.test(value);
}

function readFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    const isMissing = (cause as { readonly code?: unknown }).code === 'ENOENT';
    throw new ToolwrightError('TW_PROFILES_INVALID', {
      where: path,
      what: isMissing
        ? 'does not exist.'
        : `cannot be read: ${(cause as Error).message.replace(/\.?$/, '.')}`,
      fix: 'name a JSON file of the form { "clients": { "codex": { "facts": { … } } } }',
      cause,
    });
  }
}
