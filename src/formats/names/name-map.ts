/** One tool as a provider knows it. */
export interface NameEntry {
  readonly toolId: string;
  readonly providerName: string;
  /** Turns the arguments of a call into those of the original schema; absent where they are the same. */
  readonly decode?: (args: unknown) => unknown;
}

/** Both directions between the ids of tools and the names that a provider knows them by. */
export interface NameMap {
  /** The name that the provider knows; undefined for a tool that is not in the set. */
  toProvider(toolId: string): string | undefined;
  /** The id of the tool; undefined for a name that the provider was not given. */
  toToolId(providerName: string): string | undefined;
  /**
   * The arguments of a call as the original schema wants them: keys and enum values restored, open values parsed, and
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
