import { safeName, suffixed, type NameRule } from '../shared/names.ts';
import { type CanonicalTool, toolId } from './canonical/canonical-tool.ts';

/** One tool as a provider knows it. */
export interface NameEntry {
  /** The id of the tool. */
  readonly toolId: string;
  /** The name of the tool at the provider. */
  readonly providerName: string;
  /** Turns the arguments of a call into those of the original schema; absent where they are the same. */
  readonly decode?: (args: unknown) => unknown;
}

/** Maps the ids of tools to their names at a provider, and back. */
export interface NameMap {
  /** The name that the provider knows; undefined for a tool that is not in the set. */
  toProvider(toolId: string): string | undefined;
  /** The id of the tool; undefined for a name that the provider was not given. */
  toToolId(providerName: string): string | undefined;
  /**
   * The arguments of a call in the original schema's form: keys and enum values restored, open values parsed, and
   * nulls removed that stand for absent properties. Nothing is added, and nothing is checked: validate the result
   * against the original schema.
   */
  decodeArguments(providerName: string, args: unknown): unknown;
}

/**
 * Makes a map of names.
 *
 * @example
 * const names = createNameMap([{ toolId: 'files:read', providerName: 'files__read' }]);
 * names.toToolId('files__read'); // 'files:read'
 */
export function createNameMap(entries: readonly NameEntry[]): NameMap {
  const byId = new Map(entries.map((entry) => [entry.toolId, entry]));
  const byName = new Map(entries.map((entry) => [entry.providerName, entry]));
  return Object.freeze({
    toProvider: (toolId: string) => byId.get(toolId)?.providerName,
    toToolId: (providerName: string) => byName.get(providerName)?.toolId,
    decodeArguments(providerName: string, args: unknown): unknown {
      const decode = byName.get(providerName)?.decode;
      return decode === undefined ? args : decode(args);
    },
  });
}

/** The names of one target. */
export interface ProviderNames {
  readonly rule: NameRule;
  /** Whether a namespace goes in front of the name, unless an option says otherwise. */
  readonly qualifies: boolean;
}

interface NameOptions {
  readonly qualify?: boolean;
  readonly maxNameLength?: number;
  readonly hashName?: boolean;
}

/** The name before and after it was made to fit. */
interface ProviderName {
  readonly joined: string;
  readonly safe: string;
}

/** The shortest name that has room for a hash, and for something before it. */
const SHORTEST = 10;

/** The name of a tool for a target, as if no other tool were there. */
export function providerName(tool: CanonicalTool, names: ProviderNames, options: NameOptions): ProviderName {
  const { namespace, name } = tool;
  const qualifies = (options.qualify ?? names.qualifies) && namespace !== undefined && namespace !== '';
  const joined = qualifies ? `${namespace}__${name}` : name;
  const maxLength = Math.max(SHORTEST, options.maxNameLength ?? names.rule.maxLength);
  const rule = { ...names.rule, maxLength };
  const id = toolId(tool);
  const safe = safeName(joined, rule, id);
  return { joined, safe: options.hashName === true ? suffixed(safe, rule, id) : safe };
}

/**
 * The keys of one object in the form that a target allows: original → safe, each safe key once. The order of the keys
 * has no influence.
 */
export function safeKeys(keys: readonly string[], rule: NameRule): ReadonlyMap<string, string> {
  const safe = new Map<string, string>();
  for (const [wanted, group] of groupBy(keys, (key) => safeName(key, rule, key))) {
    const keeper = group.length === 1 ? group[0] : group.find((key) => key === wanted);
    for (const key of group) safe.set(key, key === keeper ? wanted : suffixed(wanted, rule, key));
  }
  return safe;
}

/** Groups values by a key, in order of first appearance. */
export function groupBy<Value>(
  values: readonly Value[],
  keyOf: (value: Value) => string,
): ReadonlyMap<string, readonly Value[]> {
  const groups = new Map<string, Value[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return groups;
}
