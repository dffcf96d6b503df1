import type { JsonSchema } from '../shared/json-schema.ts';
import type { PlainObject } from '../shared/json.ts';
import { holderOf } from './keywords.ts';
import { tokensOf } from './pointer.ts';
import { walkSchema } from './subschemas.ts';

/** The keyword that names the HTTP header of an argument (spec 2026-07-28: server/tools, x-mcp-header). */
export const HEADER_KEYWORD = 'x-mcp-header';

/** An argument that HTTP clients repeat as a header. */
export interface HeaderParameter {
  /** Without the prefix `Mcp-Param-`. */
  readonly header: string;
  /** The path to the argument. */
  readonly path: readonly string[];
  readonly type: 'string' | 'integer' | 'boolean';
}

/** A declaration for which clients reject the whole tool. */
interface HeaderFault {
  readonly path: readonly string[];
  readonly header: string;
  readonly reason: string;
}

interface HeaderParameters {
  readonly parameters: readonly HeaderParameter[];
  readonly faults: readonly HeaderFault[];
}

const TYPES: readonly unknown[] = ['string', 'integer', 'boolean'];
// RFC 9110, 5.6.2
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Finds the header parameters of a tool's input; they stand on properties of the root or of nested objects. */
export function headerParametersOf(root: JsonSchema): HeaderParameters {
  const parameters: HeaderParameter[] = [];
  const faults: HeaderFault[] = [];
  for (const { schema, path: pointer } of walkSchema(root)) {
    if (typeof schema === 'boolean' || !Object.hasOwn(schema, HEADER_KEYWORD)) continue;
    const { path, isReachable } = placeOf(pointer);
    const header = String(schema[HEADER_KEYWORD]);
    const reason = faultOf(schema, header, isReachable, parameters);
    if (reason !== undefined) faults.push({ path, header, reason });
    else parameters.push({ header, path, type: schema.type as HeaderParameter['type'] });
  }
  return { parameters, faults };
}

/** The property names on the path to a schema, and whether the path consists only of them. */
function placeOf(pointer: string): { readonly path: readonly string[]; readonly isReachable: boolean } {
  const path: string[] = [];
  const tokens = [...(tokensOf(pointer) ?? [])];
  let isReachable = tokens.length > 0;
  for (let keyword = tokens.shift(); keyword !== undefined; keyword = tokens.shift()) {
    isReachable &&= keyword === 'properties';
    const holder = holderOf(keyword);
    const isNamed = holder === 'map' || holder === 'dependencies';
    // no keyword is a number
    if (isNamed || /^\d+$/.test(tokens[0] ?? '')) path.push(...tokens.splice(0, 1).filter(() => isNamed));
  }
  return { path, isReachable };
}

function faultOf(
  { [HEADER_KEYWORD]: given, type }: PlainObject,
  header: string,
  isReachable: boolean,
  earlier: readonly HeaderParameter[],
): string | undefined {
  if (typeof given !== 'string' || !TOKEN.test(given)) return 'a header name has letters, digits and -_ only';
  if (!isReachable) return 'only a property that is always at the same place can be found again in a header';
  if (!TYPES.includes(type)) return 'only a text, an integer or a boolean can be a header';
  const other = earlier.find((each) => each.header.toLowerCase() === header.toLowerCase());
  return other && `"${other.path.join('.')}" has the same header, and letter case makes no difference`;
}
