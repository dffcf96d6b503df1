/** The matrix as it was decided: columns in the order of the targets. A letter in code, a text in the page. */
export const COLUMNS = [
  'mcp',
  'openai',
  'openai-strict',
  'anthropic',
  'anthropic-strict',
  'gemini-openapi',
  'gemini-json',
] as const;

export type Column = (typeof COLUMNS)[number];

const DECIDED = `
root anyOf, oneOf | K | T | T | T | T | T | K
root allOf | K | t / D | t / E | t / D | t / D | t / D | K
root enum, const, not | K | D | D | K | D | D | D
nested anyOf | K | K | K | K | K | K | K
nested oneOf -> anyOf | K | K | T | K | T | T | K
nested allOf | K | K | t / E | K | K (refs in it inlined) | t / D | t / D
not, if/then/else, dependentRequired, dependentSchemas | K | K | D | K | D | D | D
local $ref, $defs | K | K | K | K | K | t inline | K
recursive $ref | K | K | K | K | E | E | K, E through required properties
external $ref | E | E | E | E | E | E | E
type as array | K | K | K | K | K | t (nullable, anyOf) | K
nullable (OpenAPI style) | K | t | t | t | t | K | t
optional property | K | K | t | K | K | K | K
additionalProperties: schema or explicit true | K | K | D, then false | K | D, then false | X (true: t) | K
additionalProperties: false | K | K | K | K | K | X | K
patternProperties, propertyNames, contains, min/maxContains, unevaluated*, content* | K | K | D | K | D | D | D
array without items | K | t | T | K | K | T | T
prefixItems | K | K | D | K | D | D | K
pattern | K | K | K | K | D | K | D
format | K | K | K if listed / D | K | K if listed / D | K if listed / D | K
minimum, maximum | K | K | K | K | D | K | K
exclusiveMinimum, exclusiveMaximum | K | K | K | K | D | t for integers / D | t for integers / D
multipleOf | K | K | K | K | D | D | D
minLength, maxLength | K | K | D | K | D | K | D
minItems | K | K | K | K | K for 0, 1 / D | K | K
maxItems | K | K | K | K | D | K | K
uniqueItems | K | K | D | K | D | D | D
minProperties, maxProperties | K | K | D | K | D | K | D
enum of strings | K | K | K | K | K | K | K
enum with numbers | K | K | K | K | K | T strings | K
enum with booleans | K | K | K | K | K | T strings | D
enum or const with objects or arrays | K | K | T strings | K | T strings | D | D
const, string | K | K | K | K | K | t enum of one | t enum of one
const, number | K | K | K | K | K | T string enum | t enum of one
const, boolean or null | K | K | K | K | K | T string enum | D
default | K | K | D | K | D | K | D
title, description | K | K | K | K | K | K | K
examples | K | K | D | K | D | t if one / T first as \`example\` | X
deprecated, readOnly, writeOnly | K | K | D | K | D | X | X
$schema, $id, $comment | K | t removed | t removed | t removed | t removed | t removed | t removed
unknown keywords, x-* | K | K | X | K | X | X (\`propertyOrdering\` K) | X (\`propertyOrdering\` K)
open value | K | K | T | K | T | T | T (objects K)
`;

/** Line by line: the label, then one cell for each column. */
export const DECIDED_CELLS: readonly (readonly string[])[] = DECIDED.trim()
  .split('\n')
  .map((line) => line.split(' | '));

/** What was decided about one row. */
export function cellsOf(label: string): readonly string[] {
  const line = DECIDED_CELLS.find(([first]) => first === label);
  if (line === undefined) throw new Error(`no row ${label}`);
  return line.slice(1);
}
