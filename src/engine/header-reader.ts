/** The headers of a request, as of fetch's `Headers`: names in lower case. */
export interface HeaderReader extends Iterable<[string, string]> {
  get(name: string): string | null;
  has(name: string): boolean;
}
