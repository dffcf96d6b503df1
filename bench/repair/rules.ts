import { distance } from 'fastest-levenshtein';
import type { ListedTool, ToolCall } from './calls.ts';
import {
  isObject,
  put,
  remove,
  rename,
  valueAt,
  type Json,
  type JsonObject,
  type Path,
} from './json-path.ts';
import { readComplaints, type Complaint } from './read-error.ts';
import { convertValue, formatText } from './values.ts';
import { exampleOf, findChoice, fits, listMembers, schemaAt, type Choice } from './tool-schema.ts';

/** One place that an error text names, and what the tool list says about it. */
interface Place {
  readonly path: Path;
  /** What the text says about it. */
  readonly said: string;
  /** The whole text. */
  readonly text: string;
  readonly name: string;
  readonly value: Json | undefined;
  readonly schema: JsonObject | undefined;
  readonly above: Path;
  readonly owner: JsonObject;
  readonly ownerSchema: JsonObject | undefined;
  /** What the owner may have. */
  readonly members: Readonly<Record<string, JsonObject>>;
  /** Fields of the owner that the tool does not know. */
  readonly spares: readonly string[];
  /** Fields of the tool that the owner does not have. */
  readonly absent: readonly string[];
}

/** Gives better arguments, or undefined where it does not apply. */
type Rule = (place: Place, args: JsonObject) => JsonObject | undefined;

const isMissing = ({ value, schema }: Place): boolean => value === undefined && schema !== undefined;
const isUnknown = ({ value, said }: Place): boolean =>
  value !== undefined &&
  /unknown (field|key|name|propert|argument)|unrecognized|not allowed|additional propert/i.test(said);
const isWrong = ({ value, schema }: Place): boolean => value !== undefined && !fits(schema, value);

/** In the order in which they are tried for each place. */
const RULES = {
  // "status is required", and there is "staus"
  'similar name': (place, args) => {
    if (isMissing(place)) {
      const near = place.spares.find((name) => isNear(name, place.name));
      return near === undefined ? undefined : rename(args, [...place.above, near], place.name);
    }
    if (!isUnknown(place)) return undefined;
    const [, suggested = ''] = /did you mean "?([\w$-]+)/i.exec(place.said) ?? [];
    const near = place.absent.find((name) => name === suggested || isNear(name, place.name));
    return near === undefined ? undefined : rename(args, place.path, near);
  },
  // Fields are one level too deep, or one too high
  'moved fields': (place, args) =>
    isMissing(place) || isUnknown(place)
      ? (unwrapFields(place, args) ?? gatherFields(place, args))
      : undefined,
  // "status is required", and only one unknown field has a value for it
  'spare field': (place, args) => {
    if (isMissing(place)) {
      const fitting = place.spares.filter(
        (name) =>
          suits(place.schema, place.owner[name]) && !place.absent.some((other) => isNear(other, name)),
      );
      const [only = ''] = fitting;
      return fitting.length === 1 ? rename(args, [...place.above, only], place.name) : undefined;
    }
    if (!isUnknown(place)) return undefined;
    const fitting = place.absent.filter((name) => suits(place.members[name], place.value));
    const [only = ''] = fitting;
    return fitting.length === 1 ? rename(args, place.path, only) : undefined;
  },
  // "expected number, received string"
  type: (place, args) => {
    if (
      !isWrong(place) ||
      place.schema === undefined ||
      !/expected|must be|should be|valid/i.test(place.said)
    ) {
      return undefined;
    }
    const converted = convertValue(place.value ?? null, place.schema, readType(place));
    return converted === undefined ? undefined : put(args, place.path, converted);
  },
  // "one of: open, paid"
  'permitted value': (place, args) => {
    const near = isWrong(place) ? nearestValue(place) : undefined;
    return near === undefined ? undefined : put(args, place.path, near);
  },
  // Fields of one action with the name of another one
  'choice by fields': (place, args) => {
    const choice = findChoice(place.ownerSchema);
    if (choice === undefined || !(isOnChoice(place) || isBesideChoice(place, choice))) return undefined;
    const better = chooseByFields(choice, place.owner);
    return better === undefined ? undefined : put(args, [...place.above, choice.field], better);
  },
  // "must be an email", "must match /^\d+$/"
  format: (place, args) => {
    const { value, schema, said } = place;
    if (!isWrong(place) || schema === undefined || typeof value !== 'string') return undefined;
    if (!/uuid|mail|date|iso|match|pattern|regex|format|valid/i.test(said)) return undefined;
    const formatted = formatText(value, schema);
    return formatted === undefined ? undefined : put(args, place.path, formatted);
  },
  // "at least 1", "<=100"
  bounds: (place, args) => {
    const bounded = isWrong(place) ? boundValue(place) : undefined;
    return bounded === undefined ? undefined : put(args, place.path, bounded);
  },
  // Nothing says what was meant
  example: (place, args) => {
    // What is in an object or a list is worth more than an example
    const isNeeded =
      isMissing(place) || (isWrong(place) && !isUnknown(place) && typeof place.value !== 'object');
    return isNeeded && place.schema !== undefined
      ? put(args, place.path, exampleOf(place.schema))
      : undefined;
  },
  // "unknown field"
  'unknown field': (place, args) => (isUnknown(place) ? remove(args, place.path) : undefined),
} as const satisfies Readonly<Record<string, Rule>>;

export type RuleName = keyof typeof RULES;
export const RULE_NAMES = Object.keys(RULES) as readonly RuleName[];

export interface RepairedCall {
  readonly call: ToolCall;
  /** Which rules changed something. */
  readonly rules: readonly RuleName[];
}

/** Repairs a call by what an error text and the list of tools say. It knows no server and no right call. */
export function repairCall(call: ToolCall, text: string, tools: readonly ListedTool[]): RepairedCall {
  const tool = tools.find(({ name }) => name === call.name);
  if (tool === undefined) return { call, rules: [] };
  let args = call.arguments;
  const fired = new Set<RuleName>();
  const converted: Path[] = [];
  for (const complaint of inOrder(readComplaints(text, call, tool), tool, args)) {
    // What is in a converted value was not looked at in this form
    if (converted.some((path) => isBelow(complaint.path, path))) continue;
    for (const name of RULE_NAMES) {
      const rule: Rule = RULES[name];
      const place = lookAt(complaint, text, tool, args);
      const better = rule(place, args);
      if (better === undefined) continue;
      args = better;
      fired.add(name);
      if (name === 'type') converted.push(complaint.path);
      // The whole text was about another action
      if (name === 'choice by fields' && !isOnChoice(place)) return finish(call, args, fired);
    }
  }
  return finish(call, args, fired);
}

function finish(call: ToolCall, args: JsonObject, fired: Iterable<RuleName>): RepairedCall {
  return { call: { name: call.name, arguments: args }, rules: [...fired] };
}

function isBelow(path: Path, above: Path): boolean {
  return path.length > above.length && above.every((name, index) => name === path[index]);
}

/** Missing fields first, because unknown ones may have their values. */
function inOrder(complaints: readonly Complaint[], tool: ListedTool, args: JsonObject): readonly Complaint[] {
  const rank = (complaint: Complaint): number => {
    const place = lookAt(complaint, '', tool, args);
    if (isMissing(place)) return 0;
    return isUnknown(place) ? 2 : 1;
  };
  return [...complaints].sort((one, other) => rank(one) - rank(other));
}

function lookAt({ path, text: said }: Complaint, text: string, tool: ListedTool, args: JsonObject): Place {
  const above = path.slice(0, -1);
  const found = valueAt(args, above);
  const owner = isObject(found) ? found : {};
  const ownerSchema = schemaAt(tool.inputSchema, above, args);
  const members = listMembers(ownerSchema, owner);
  const accepted = listAccepted(text);
  const names = Object.keys(members);
  return {
    ...{ path, said, text, above, owner, ownerSchema, members },
    name: String(path.at(-1)),
    value: valueAt(args, path),
    schema: schemaAt(tool.inputSchema, path, args),
    spares: Object.keys(owner).filter((name) => !names.includes(name)),
    absent: names.filter((name) => owner[name] === undefined && (accepted?.includes(name) ?? true)),
  };
}

/** The names that a text lists as accepted; undefined where it lists none. */
function listAccepted(text: string): readonly string[] | undefined {
  const label = /(?:accepted|allowed|known|valid) (?:fields|keys|names|properties)[^:\n]*: *(.+)/gi;
  const lists = [...text.matchAll(label)].map(([, names = '']) => names.split(/[,\s"'|]+/));
  return lists.length === 0 ? undefined : lists.flat();
}

function isNear(one: string, other: string): boolean {
  const [a, b] = [one, other].map((name) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')) as [
    string,
    string,
  ];
  if (a === b) return true;
  if (Math.min(a.length, b.length) > 1 && (a.includes(b) || b.includes(a))) return true;
  return distance(a, b) <= Math.min(2, Math.ceil(Math.min(a.length, b.length) / 2));
}

/** Takes the fields out of an unknown object that has them. */
function unwrapFields({ spares, owner, members, above }: Place, args: JsonObject): JsonObject | undefined {
  const wrapper = spares.find((name) => {
    const inner = owner[name];
    return isObject(inner) && Object.keys(inner).some((field) => field in members && !(field in owner));
  });
  if (wrapper === undefined) return undefined;
  const { [wrapper]: inner, ...others } = owner;
  return put(args, above, { ...others, ...(inner as JsonObject) });
}

/** Puts unknown fields into the missing object that may have them. */
function gatherFields(
  { spares, owner, members, absent, above }: Place,
  args: JsonObject,
): JsonObject | undefined {
  for (const name of absent) {
    const inner = listMembers(members[name], undefined);
    const found = spares.filter((spare) => spare in inner);
    if (found.length === 0) continue;
    const kept = Object.entries(owner).filter(([field]) => !found.includes(field));
    const gathered = Object.fromEntries(found.map((field) => [field, owner[field] ?? null]));
    return put(args, above, { ...Object.fromEntries(kept), [name]: gathered });
  }
  return undefined;
}

/** Whether the text speaks of the field that chooses. */
function isOnChoice(place: Place): boolean {
  return place.name === findChoice(place.ownerSchema)?.field && (isMissing(place) || isWrong(place));
}

/** Whether the text speaks of a field beside the one that chooses, although that one is right by itself. */
function isBesideChoice(place: Place, { field, options }: Choice): boolean {
  const isChosen = options.some(({ value }) => value === place.owner[field]);
  return place.name !== field && isChosen && (isMissing(place) || isUnknown(place));
}

/** The value whose fields are those that are there, when it is a better one than what was chosen. */
function chooseByFields({ field, options }: Choice, owner: JsonObject): string | undefined {
  const present = Object.keys(owner).filter((name) => name !== field);
  const ranked = options.map(({ value, fields, required }) => {
    const own = present.filter((name) => fields.includes(name)).length;
    const missing = required.filter((name) => name !== field && owner[name] === undefined).length;
    return { value, rank: 2 * own - present.length - missing };
  });
  const best = Math.max(...ranked.map(({ rank }) => rank));
  const [first, ...others] = ranked.filter(({ rank }) => rank === best);
  if (first === undefined || others.length > 0 || first.value === owner[field]) return undefined;
  return first.value;
}

/** The type that the text names, or else the list of tools. */
function readType({ said, schema }: Place): string | undefined {
  const [, named] =
    /(?:expected|must be an?) (?:\w+ )?(integer|int|number|boolean|string|array|object)\b/.exec(said) ?? [];
  const listed = [schema?.['type']].flat()[0];
  return named ?? (typeof listed === 'string' ? listed : undefined);
}

function nearestValue({ value, said, text, schema }: Place): Json | undefined {
  const values = listValues(schema);
  const isSaid = values.every((each) => said.includes(each) || text.includes(each));
  return isSaid && typeof value === 'string' ? nearestOf(values, value) : undefined;
}

function listValues(schema: JsonObject | undefined): readonly string[] {
  const listed = schema?.['enum'] ?? [schema?.['const'] ?? null];
  return (listed as readonly Json[]).filter((each) => typeof each === 'string');
}

function nearestOf(values: readonly string[], value: string): string | undefined {
  const ranked = values.map((each) => ({ each, edits: distance(each.toLowerCase(), value.toLowerCase()) }));
  const near = ranked.filter(({ each }) => isNear(each, value)).sort((one, other) => one.edits - other.edits);
  return near[0]?.each;
}

/** Whether a value may be meant for a place, in another form at least. */
function suits(schema: JsonObject | undefined, value: Json | undefined): boolean {
  if (schema === undefined || value === undefined) return false;
  if (fits(schema, value)) return true;
  const isList = schema['type'] === 'array' && Array.isArray(value);
  if (isList || (schema['type'] === 'object' && isObject(value))) return true;
  if (typeof value === 'string' && nearestOf(listValues(schema), value) !== undefined) return true;
  return fits(schema, convertValue(value, schema, undefined));
}

const LOWEST = /(?:at least|>=|less than|longer than or equal to|minimum(?: of)?) *(-?\d+(?:\.\d+)?)/i;
const HIGHEST = /(?:at most|<=|greater than|shorter than or equal to|maximum(?: of)?) *(-?\d+(?:\.\d+)?)/i;

function boundValue({ said, value }: Place): Json | undefined {
  const low = Number(LOWEST.exec(said)?.[1] ?? Number.NaN);
  const high = Number(HIGHEST.exec(said)?.[1] ?? Number.NaN);
  if (typeof value === 'number') {
    if (value < low) return low;
    return value > high ? high : undefined;
  }
  if (typeof value !== 'string') return undefined;
  if (value.length < low) return value.padEnd(low, 'x');
  return value.length > high ? value.slice(0, high) : undefined;
}
