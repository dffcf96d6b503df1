import type { JsonSchema } from './json-schema.ts';

/** The keyword that names the HTTP header of an argument (spec 2026-07-28: server/tools, x-mcp-header). */
export const HEADER_KEYWORD = 'x-mcp-header';

/** An argument that HTTP clients repeat as a header. */
export interface HeaderParameter {
  /** Without the prefix `Mcp-Param-`. */
  readonly header: string;
  /** The way to the argument. */
  readonly path: readonly string[];
  readonly type: 'string' | 'integer' | 'boolean';
}

/** A declaration that clients refuse, and with it the whole tool. */
export interface HeaderFault {
  readonly path: readonly string[];
  readonly header: string;
  readonly reason: string;
}

export interface HeaderParameters {
  readonly parameters: readonly HeaderParameter[];
  readonly faults: readonly HeaderFault[];
}

const TYPES: readonly unknown[] = ['string', 'integer', 'boolean'];
// RFC 9110, 5.6.2
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const DATA: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples', 'required']);

/** Finds the header parameters of a tool's input; they stand on properties of the root or of nested objects. */
export function headerParametersOf(schema: JsonSchema): HeaderParameters {
  const parameters: HeaderParameter[] = [];
  const faults: HeaderFault[] = [];
  visit(schema, [], true, (declared, path, isReachable) => {
    const header = String(declared[HEADER_KEYWORD]);
    const reason = faultOf(declared, header, isReachable && path.length > 0, parameters);
    if (reason !== undefined) faults.push({ path, header, reason });
    else parameters.push({ header, path, type: declared.type as HeaderParameter['type'] });
  });
  return { parameters, faults };
}

type Found = (schema: JsonSchema, path: readonly string[], isReachable: boolean) => void;

function visit(schema: unknown, path: readonly string[], isReachable: boolean, found: Found): void {
  if (typeof schema !== 'object' || schema === null) return;
  if (Object.hasOwn(schema, HEADER_KEYWORD)) found(schema as JsonSchema, path, isReachable);
  for (const [keyword, value] of Object.entries(schema)) {
    if (HOLDS_NAMED_SCHEMAS.has(keyword)) {
      const isStillReachable = isReachable && keyword === 'properties';
      visitNamed(value, path, isStillReachable, found);
    } else if (!DATA.has(keyword)) {
      for (const inner of Array.isArray(value) ? value : [value]) visit(inner, path, false, found);
    }
  }
}

function visitNamed(schemas: unknown, path: readonly string[], isReachable: boolean, found: Found): void {
  if (typeof schemas !== 'object' || schemas === null) return;
  for (const [name, schema] of Object.entries(schemas)) visit(schema, [...path, name], isReachable, found);
}

const HOLDS_NAMED_SCHEMAS: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
  'definitions',
]);

function faultOf(
  { [HEADER_KEYWORD]: given, type }: JsonSchema,
  header: string,
  isReachable: boolean,
  earlier: readonly HeaderParameter[],
): string | undefined {
  if (typeof given !== 'string' || !TOKEN.test(given)) return 'a header name has letters, digits and -_ only';
  if (!isReachable) return 'only a property that is always at the same place can be found again in a header';
  if (!TYPES.includes(type)) return 'only a text, a whole number or a truth value can be a header';
  const other = earlier.find((each) => each.header.toLowerCase() === header.toLowerCase());
  return other && `"${other.path.join('.')}" has the same header, and letter case makes no difference`;
}
