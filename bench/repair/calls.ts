import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { createRandom, type Random } from '../../test/support/random.ts';
import {
  isObject,
  listPaths,
  put,
  remove,
  rename,
  valueAt,
  type Json,
  type JsonObject,
  type Path,
} from './json-path.ts';

export interface ToolCall {
  readonly name: string;
  readonly arguments: JsonObject;
}

/** A tool as `tools/list` gives it. */
export interface ListedTool {
  readonly name: string;
  readonly inputSchema: JsonObject;
}

/** A call with one fault or two, and the call that was meant. */
export interface MalformedCall {
  readonly faults: readonly Fault[];
  readonly call: ToolCall;
  readonly intended: ToolCall;
  /** Where the malformed call no longer says what was meant: any value that the server takes is right there. */
  readonly lost: readonly Path[];
}

export type Fault =
  | 'wrong name'
  | 'misspelt name'
  | 'unknown field'
  | 'missing field'
  | 'type'
  | 'shape'
  | 'nesting'
  | 'enum'
  | 'range'
  | 'format'
  | 'discriminator'
  | 'mixed-up actions'
  | 'JSON as text';

interface Sample {
  readonly args: JsonObject;
  /** Other names for fields, which people use for the same thing. */
  readonly otherNames: Readonly<Record<string, string>>;
  readonly allowed: Readonly<Record<string, readonly string[]>>;
  /** Values out of bounds. */
  readonly outside: Readonly<Record<string, readonly Json[]>>;
  /** Values of another form that say the same, and such that say nothing. */
  readonly forms: Readonly<
    Record<string, { readonly same: readonly Json[]; readonly other: readonly Json[] }>
  >;
  readonly optional: readonly string[];
}

const RANDOM_WORDS = ['comment', 'verbose', 'source', 'dryRun', 'locale', 'trace'];

const TICKET = {
  otherNames: { title: 'subject', priority: 'severity', seats: 'places', budget: 'cost' },
  allowed: { priority: ['low', 'medium', 'high', 'urgent'] },
  outside: { title: ['ab', 'Broken '.repeat(20)], seats: [0, 51, -3], budget: [-1, 20_000] },
  forms: {},
  optional: [],
};
const PARCEL = {
  otherNames: {
    'recipient.name': 'fullName',
    'recipient.address.street': 'line1',
    'recipient.address.city': 'town',
    weight: 'kilograms',
    service: 'shipping',
  },
  allowed: {
    service: ['standard', 'express', 'overnight'],
    'recipient.address.country': ['DE', 'FR', 'NL', 'PL'],
  },
  outside: { weight: [0, 31.5, 400], 'recipient.name': ['', 'Ada '.repeat(30)] },
  forms: {},
  optional: [],
};
const PURCHASE = {
  otherNames: {
    customer: 'buyer',
    lines: 'items',
    'lines.0.sku': 'article',
    'lines.1.quantity': 'count',
    'lines.0.price': 'amount',
  },
  allowed: { currency: ['EUR', 'USD', 'GBP'] },
  outside: { 'lines.0.quantity': [0, 100], 'lines.1.price': [-4], 'lines.1.sku': [''] },
  forms: {},
  optional: [],
};
const SEARCH = {
  otherNames: { query: 'text', limit: 'max', sort: 'order', archived: 'old', tags: 'labels' },
  allowed: { sort: ['newest', 'oldest', 'relevance'] },
  outside: { limit: [0, 101, 5000], query: [''] },
  forms: {},
  optional: ['limit', 'sort', 'archived', 'tags'],
};
const BOOKING = {
  otherNames: { roomId: 'room', day: 'date', start: 'from', organizer: 'host', requestId: 'reference' },
  allowed: {},
  outside: {},
  forms: {
    roomId: { same: ['rm-1204', '1204', 'RM 1204'], other: ['the big one'] },
    day: { same: ['14.03.2027', '2027/03/14', 'March 14, 2027'], other: ['tomorrow', '2027-13-40'] },
    start: { same: ['9:30 AM', '09:30:00', '9:30'], other: ['morning', '25:00'] },
    organizer: { same: ['Ada <ada@example.com>', 'mailto:ada@example.com'], other: ['Ada'] },
    requestId: {
      same: ['{3f1d7c2a-9b64-4e1f-8a53-6c0d2b7e9f10}', '3f1d7c2a9b644e1f8a536c0d2b7e9f10'],
      other: ['12345'],
    },
  },
  optional: [],
};
const REMINDER = {
  otherNames: { text: 'message', minutes: 'delay', id: 'reminderId', reason: 'cause', channel: 'via' },
  allowed: { reason: ['done', 'cancelled', 'duplicate'] },
  outside: { minutes: [0, 20_000], id: [0, -7], text: [''] },
  forms: { 'channel.phone': { same: ['+49 151 234567', '0049151234567'], other: ['none'] } },
  optional: [],
};

const ADDRESS = { street: 'Rue Verte 8', city: 'Lyon', country: 'FR' };
const LINES = [
  { sku: 'PEN-7', quantity: 3, price: 1.5 },
  { sku: 'INK-2', quantity: 12, price: 4 },
];
const SMS = { kind: 'sms', phone: '+49151234567' };
const EMAIL = { kind: 'email', address: 'ada@example.com' };

/** What is meant, by tool. */
const SAMPLES: Readonly<Record<string, readonly Sample[]>> = {
  create_ticket: [
    { ...TICKET, args: { title: 'Broken door', priority: 'high', seats: 4, budget: 250.5, billable: true } },
    { ...TICKET, args: { title: 'New lamp', priority: 'low', seats: 12, budget: 90, billable: false } },
  ],
  ship_parcel: [
    { ...PARCEL, args: { recipient: { name: 'Ada', address: ADDRESS }, weight: 2.5, service: 'express' } },
    { ...PARCEL, args: { recipient: { name: 'Grace', address: ADDRESS }, weight: 12, service: 'standard' } },
  ],
  place_order: [
    { ...PURCHASE, args: { customer: 'Ada', currency: 'EUR', lines: LINES } },
    { ...PURCHASE, args: { customer: 'Grace', currency: 'USD', lines: [...LINES].reverse() } },
  ],
  search_notes: [
    { ...SEARCH, args: { query: 'boats', limit: 5, sort: 'oldest', archived: true, tags: ['sea', 'wood'] } },
    { ...SEARCH, args: { query: 'tea', limit: 50, sort: 'relevance', archived: false, tags: ['green'] } },
  ],
  book_room: [
    {
      ...BOOKING,
      args: {
        roomId: 'RM-1204',
        day: '2027-03-14',
        start: '09:30',
        organizer: 'ada@example.com',
        requestId: '3f1d7c2a-9b64-4e1f-8a53-6c0d2b7e9f10',
      },
    },
  ],
  reminders: [
    { ...REMINDER, args: { action: 'create', text: 'Call home', minutes: 45, channel: SMS } },
    { ...REMINDER, args: { action: 'create', text: 'Water plants', minutes: 300, channel: EMAIL } },
    { ...REMINDER, args: { action: 'snooze', id: 17, minutes: 10 } },
    { ...REMINDER, args: { action: 'close', id: 23, reason: 'duplicate' } },
  ],
};

/** Every call that is meant; each server has to take all of them. */
export const INTENDED_CALLS: readonly ToolCall[] = Object.entries(SAMPLES).flatMap(([name, samples]) =>
  samples.map(({ args }) => ({ name, arguments: args })),
);

type Change = Pick<MalformedCall, 'lost'> & { readonly args: JsonObject };
/** Spoils one place of a call; undefined where it cannot. */
type Spoil = (sample: Sample, random: Random) => Change | undefined;

const SPOILS: Readonly<Record<Fault, Spoil>> = {
  'wrong name': ({ args, otherNames }, random) => {
    const path = pickPath(args, random, (place) => otherNames[place.join('.')] !== undefined);
    return path && { args: rename(args, path, otherNames[path.join('.')] ?? ''), lost: [] };
  },
  'misspelt name': ({ args }, random) => {
    const path = pickPath(args, random, (place) => String(place.at(-1)).length > 2 && isField(place));
    return path && { args: rename(args, path, misspell(String(path.at(-1)), random)), lost: [] };
  },
  'unknown field': ({ args }, random) => {
    const path = pickPath(args, random, isField);
    const name = random.pick(RANDOM_WORDS);
    return path && { args: put(args, [...path.slice(0, -1), name], random.pick(['yes', 1, true])), lost: [] };
  },
  'missing field': ({ args, optional }, random) => {
    const path = pickPath(args, random, (place) => isField(place) && !optional.includes(String(place[0])));
    return path && { args: remove(args, path), lost: [path] };
  },
  type: ({ args }, random) => {
    const path = pickPath(
      args,
      random,
      (_, value) => typeof value === 'number' || typeof value === 'boolean',
    );
    return path && { args: put(args, path, random.pick(otherTypes(valueAt(args, path)))), lost: [] };
  },
  shape: ({ args }, random) => {
    const path = pickPath(args, random, (place, value) => typeof value === 'object' || isField(place));
    if (path === undefined) return undefined;
    const value = valueAt(args, path) ?? null;
    if (!Array.isArray(value)) return { args: put(args, path, [value]), lost: [] };
    const items = value as readonly Json[];
    const [single = null] = items;
    const numbered = Object.fromEntries<Json>(items.map((item, index) => [String(index), item]));
    return { args: put(args, path, items.length === 1 ? single : numbered), lost: [] };
  },
  nesting: ({ args }, random) => {
    const path = pickPath(args, random, (_, value) => isObject(value));
    if (path === undefined || random.chance(0.3)) {
      return { args: { [random.pick(['input', 'data', 'params'])]: args }, lost: [] };
    }
    const inner = valueAt(args, path) as JsonObject;
    const above = path.slice(0, -1);
    const owner = valueAt(remove(args, path), above);
    return isObject(owner) ? { args: put(args, above, { ...owner, ...inner }), lost: [] } : undefined;
  },
  enum: ({ args, allowed }, random) => {
    const path = pickPath(args, random, (place) => allowed[place.join('.')] !== undefined);
    if (path === undefined) return undefined;
    const value = textAt(args, path);
    if (random.chance(0.25)) return { args: put(args, path, 'whatever'), lost: [path] };
    return { args: put(args, path, random.pick(spellings(value, random))), lost: [] };
  },
  range: ({ args, outside }, random) => {
    const path = pickPath(args, random, (place) => outside[place.join('.')] !== undefined);
    return path && { args: put(args, path, random.pick(outside[path.join('.')] ?? [])), lost: [path] };
  },
  format: ({ args, forms }, random) => {
    const path = pickPath(args, random, (place) => forms[place.join('.')] !== undefined);
    const { same = [], other = [] } = forms[path?.join('.') ?? ''] ?? {};
    if (path === undefined) return undefined;
    const isLost = random.chance(0.3);
    return { args: put(args, path, random.pick(isLost ? other : same)), lost: isLost ? [path] : [] };
  },
  discriminator: ({ args }, random) => {
    const path = pickPath(args, random, (place) => ['action', 'kind'].includes(String(place.at(-1))));
    if (path === undefined) return undefined;
    const name = textAt(args, path);
    // What was meant is clear from the other fields
    if (random.chance(0.25)) return { args: remove(args, path), lost: [] };
    const wrong = [...spellings(name, random), [name], { name }];
    return { args: put(args, path, random.pick<Json>(wrong)), lost: [] };
  },
  'mixed-up actions': ({ args }, random) => {
    const action = args['action'];
    if (typeof action !== 'string') return undefined;
    const others = ['create', 'snooze', 'close'].filter((name) => name !== action);
    if (random.chance(0.35)) return { args: { ...args, action: random.pick(others) }, lost: [] };
    if (random.chance(0.3)) {
      const names = [`reminders.${action}`, `reminders_${action}`, `${action}_reminder`];
      return { args: { ...args, action: random.pick(names) }, lost: [] };
    }
    const fields = { text: 'Call home', minutes: 45, id: 17, reason: 'done' };
    const foreign = Object.entries(fields).filter(([name]) => args[name] === undefined);
    const [name, value] = random.pick(foreign);
    return { args: { ...args, [name]: value }, lost: [] };
  },
  'JSON as text': ({ args }, random) => {
    const path = pickPath(args, random, (_, value) => typeof value === 'object');
    return path && { args: put(args, path, JSON.stringify(valueAt(args, path))), lost: [] };
  },
};

/** Each names half of the calls. That of the second half is the name of the commit that fixed the rules. */
export const SEEDS: readonly string[] = ['six tools, first half', '0668a71c821ba6b0'];

/** As many different calls, which a seed repeats. Tools and faults take turns. */
export function malformCalls(seed: string, count: number): readonly MalformedCall[] {
  const random = createRandom(createHash('sha256').update(seed).digest().readUInt32BE(0));
  const turns = Object.keys(SPOILS).flatMap((fault) =>
    Object.keys(SAMPLES).map((name) => ({ fault: fault as Fault, name })),
  );
  const calls = new Map<string, MalformedCall>();
  for (let turn = 0; calls.size < count && turn < count * 100; turn += 1) {
    const { fault, name } = turns[turn % turns.length] ?? { fault: 'type', name: '' };
    const sample = random.pick(SAMPLES[name] ?? []);
    // Every other call has a second fault
    const faults = calls.size % 2 === 0 ? [fault] : [random.pick(LEAVE_PLACES), fault];
    const change = spoil(sample, faults, random);
    if (change === undefined || isDeepStrictEqual(change.args, sample.args)) continue;
    const call = { name, arguments: change.args };
    const key = JSON.stringify(call);
    if (calls.has(key)) continue;
    calls.set(key, { faults, call, intended: { name, arguments: sample.args }, lost: change.lost });
  }
  return [...calls.values()];
}

/** Faults after which each field is still where it was meant to be, so that another one may follow. */
const LEAVE_PLACES: readonly Fault[] = ['missing field', 'type', 'enum', 'range', 'format', 'discriminator'];

function spoil(sample: Sample, faults: readonly Fault[], random: Random): Change | undefined {
  let change: Change = { args: sample.args, lost: [] };
  for (const fault of faults) {
    const next = SPOILS[fault]({ ...sample, args: change.args }, random);
    if (next === undefined) return undefined;
    change = { args: next.args, lost: [...change.lost, ...next.lost] };
  }
  return change;
}

function isField(path: Path): boolean {
  return typeof path.at(-1) === 'string';
}

type Condition = (path: Path, value: Json) => boolean;

function pickPath(args: JsonObject, random: Random, condition: Condition): Path | undefined {
  const paths = listPaths(args).filter((path) => condition(path, valueAt(args, path) ?? null));
  return paths.length === 0 ? undefined : random.pick(paths);
}

function textAt(args: JsonObject, path: Path): string {
  const value = valueAt(args, path);
  return typeof value === 'string' ? value : '';
}

function misspell(name: string, random: Random): string {
  const at = 1 + random.below(name.length - 1);
  const before = name.slice(0, at);
  const variants = [
    before + name.slice(at + 1),
    before + (name[at] ?? '') + name.slice(at),
    before.slice(0, -1) + (name[at] ?? '') + (name[at - 1] ?? '') + name.slice(at + 1),
    name.toUpperCase(),
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    `${name}s`,
  ];
  return random.pick(variants.filter((variant) => variant !== name));
}

function spellings(value: string, random: Random): readonly string[] {
  const upper = value.toUpperCase();
  const misspelt = value.length < 3 ? value.toLowerCase() : misspell(value, random);
  const all = [upper, value.toLowerCase(), ` ${value}`, `${value}.`, misspelt];
  return all.filter((spelling) => spelling !== value);
}

function otherTypes(value: Json | undefined): readonly Json[] {
  if (typeof value === 'boolean') return [String(value), Number(value), value ? 'yes' : 'no'];
  const text = JSON.stringify(value);
  return [text, ` ${text} `, { value: value ?? null }];
}
