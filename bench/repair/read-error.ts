import type { ListedTool, ToolCall } from './calls.ts';
import { isObject, valueAt, type Json, type JsonObject, type Path } from './json-path.ts';
import { fits, listPlaces, schemaAt } from './tool-schema.ts';

/** What an error text says about one place of the arguments. */
export interface Complaint {
  readonly path: Path;
  readonly text: string;
}

interface Statement {
  /** As the text has it; undefined where it names no place. */
  readonly place: string | undefined;
  readonly text: string;
}

/** Reads an error text, which may be prose or JSON, with nothing but the call and the tool beside it. */
export function readComplaints(text: string, call: ToolCall, tool: ListedTool): readonly Complaint[] {
  const args = call.arguments;
  const places = listPlaces(tool.inputSchema, args);
  // What is around a wrong value is wrong, too
  const deepestFirst = [...places].sort((one, other) => other.length - one.length);
  const known = new Map(places.map((path) => [path.join('.'), path]));
  const statements = readStatements(text, [...known.keys()]);
  const found = new Map<string, Complaint>();
  const add = (path: Path, said: string): void => {
    const key = path.join('.');
    found.set(key, { path, text: [found.get(key)?.text, said].filter(Boolean).join('; ') });
  };
  for (const { place, text: said } of statements) {
    const owner = place === undefined || place === '' ? [] : known.get(place);
    const unknown = listUnknown(said).map((name) => [...(owner ?? []), name]);
    if (unknown.length > 0) for (const path of unknown) add(path, 'unknown field');
    else if (place !== undefined && owner !== undefined) add(owner, said);
    else {
      const taken = new Set(found.keys());
      const path = deepestFirst.find((each) => !taken.has(each.join('.')) && isMeant(each, said, args, tool));
      if (path !== undefined) add(path, said);
    }
  }
  return [...found.values()];
}

function readStatements(text: string, known: readonly string[]): readonly Statement[] {
  const fromJson = readJson(text);
  if (fromJson !== undefined) return fromJson;
  // A field may be named like the word before the colon
  const plain = text.replaceAll(/\[(\d+)\]/g, '.$1').replaceAll('Invalid input: ', 'Invalid: ');
  // Longer ones first, so that `a.b` is not taken for `a`
  const names = [...known].sort((one, other) => other.length - one.length).map(escape);
  const start = new RegExp(`(?<=^|[\\s[,;])(${names.join('|')})\\]?: `, 'g');
  return joinFacts(plain.split('\n').flatMap((line) => readLine(line, start, names)));
}

/** `Received: array` says more about what the line before is about. */
function joinFacts(statements: readonly Statement[]): readonly Statement[] {
  return statements.reduce<readonly Statement[]>((joined, statement) => {
    const last = joined.at(-1);
    const isFact = /^(expected|received|available|did you mean|also at|code)\b/i.test(statement.text);
    if (last === undefined || statement.place !== undefined || !isFact) return [...joined, statement];
    return [...joined.slice(0, -1), { ...last, text: `${last.text}; ${statement.text}` }];
  }, []);
}

/** A list of issues with their paths, which validators write. */
function readJson(text: string): readonly Statement[] | undefined {
  const [json] = /\[\{.*\}\]/s.exec(text) ?? [];
  if (json === undefined) return undefined;
  try {
    const issues = (JSON.parse(json) as readonly Json[]).filter(isObject);
    return issues.map((issue) => ({
      place: ((issue['path'] ?? []) as Path).join('.'),
      text: typeof issue['message'] === 'string' ? issue['message'] : JSON.stringify(issue),
    }));
  } catch {
    return undefined;
  }
}

function readLine(line: string, start: RegExp, names: readonly string[]): readonly Statement[] {
  const starts = [...line.matchAll(start)];
  if (starts.length === 0) {
    return splitSentences(line).map((sentence) => readSentence(sentence, names));
  }
  return starts.flatMap((match, index) => {
    const said = line.slice(match.index + match[0].length, starts[index + 1]?.index);
    const [first = '', ...others] = splitSentences(said);
    // What follows without a place of its own is about another one, unless it is the same sentence
    const also = / also at (.+)$/.exec(` ${others.join('; ')}`)?.[1]?.split(', ') ?? [];
    const places = [match[1], ...also].map((place) => ({ place, text: first }));
    return [...places, ...others.map((sentence) => readSentence(sentence, names))];
  });
}

function splitSentences(text: string): readonly string[] {
  return text.split(/; |, (?=Invalid\b|Too |Unrecognized )|(?<=\w)\. (?=[A-Z])/);
}

function readSentence(sentence: string, names: readonly string[]): Statement {
  const all = names.join('|');
  const [, last] = new RegExp(` at (${all})$`).exec(sentence) ?? [];
  const [, first] = new RegExp(`^(${all}) (?:is|must|should|has)\\b`).exec(sentence) ?? [];
  return { place: last ?? first, text: sentence };
}

/** The names in a sentence about unknown ones. */
function listUnknown(text: string): readonly string[] {
  if (!/unrecognized|unexpected|additional propert/i.test(text)) return [];
  return [...text.matchAll(/["'`]([^"'`]+)["'`]/g)].map(([, name = '']) => name);
}

/** Whether a sentence without a place speaks of this one: it quotes the value, or its words are those of the schema. */
function isMeant(path: Path, text: string, args: JsonObject, { inputSchema }: ListedTool): boolean {
  const value = valueAt(args, path);
  const schema = schemaAt(inputSchema, path, args);
  if (schema === undefined || fits(schema, value)) return false;
  const required = schemaAt(inputSchema, path.slice(0, -1), args)?.['required'] ?? [];
  if (value === undefined && !(required as readonly Json[]).includes(String(path.at(-1)))) return false;
  if (typeof value === 'string' && text.includes(`"${value}"`)) return true;
  return /invalid|expected|too (small|big)|must|required/i.test(text) && describes(text, schema, value);
}

function describes(text: string, schema: JsonObject, value: Json | undefined): boolean {
  const [, received = describeType(value)] = /received (\w+)/.exec(text) ?? [];
  const wanted = text.replace(/received \w+/, '').toLowerCase();
  const says = (word: Json): boolean => wanted.includes(plainText(word).toLowerCase());
  const values = (schema['enum'] ?? []) as readonly Json[];
  const isNamed = (values.length > 0 && values.every(says)) || listWords(schema).some(says);
  return received === describeType(value) && isNamed;
}

/** What a validator may say of a schema. */
function listWords({ type, format, minimum, maximum, pattern }: JsonObject): readonly Json[] {
  const words = [type === 'integer' ? 'number' : (type ?? 'object'), format, minimum, maximum, pattern];
  return words.filter((word) => word !== undefined);
}

function plainText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function describeType(value: Json | undefined): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function escape(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
