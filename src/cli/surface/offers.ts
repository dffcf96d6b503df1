import type { ToolAnnotationHints } from '../../index.ts';
import type { WireTool } from '../../model/index.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import { discriminatorOf, readTexts } from '../call/find-tool.ts';
import type { Surface, SurfaceTool } from './surface.ts';
import { isPlainObject } from '../../shared/json.ts';
import { dereference } from '../../schema/references.ts';

/** One thing that a server offers, as `list` shows it. */
export interface Offer {
  readonly kind: 'tool' | 'prompt' | 'resource' | 'template';
  /** What `call` takes. */
  readonly name: string;
  readonly signature: string;
  readonly description: string | undefined;
  /** `read-only`, `destructive`, `deprecated`. */
  readonly marks: readonly string[];
  readonly inputSchema?: JsonSchema;
}

/** Everything that is offered, actions one by one. */
export function offersOf(surface: Surface): readonly Offer[] {
  // An application says of each tool that groups actions which they are
  const isTold = surface.tools.some(({ actions }) => actions !== undefined);
  return [
    ...surface.tools.flatMap((tool) => toolOffers(tool, isTold)),
    ...surface.prompts.map(({ name, description, arguments: args = [] }): Offer => {
      const given = args.map((each) => `${each.name}${each.required === true ? '' : '?'}`).join(', ');
      return { kind: 'prompt', name, signature: `${name}(${given})`, description, marks: [] };
    }),
    ...surface.resources.map(({ uri, name, description = name }): Offer => {
      return { kind: 'resource', name: uri, signature: uri, description, marks: [] };
    }),
    ...surface.resourceTemplates.map(({ uriTemplate, name, description = name }): Offer => {
      return { kind: 'template', name: uriTemplate, signature: uriTemplate, description, marks: [] };
    }),
  ];
}

function toolOffers(tool: SurfaceTool, isTold: boolean): readonly Offer[] {
  const wire = tool as unknown as WireTool;
  const told = tool.actions ?? (isTold ? [] : undefined);
  const discriminator = discriminatorOf(wire, told && new Set(told.map(({ key }) => key)));
  const keys = discriminator === undefined ? [] : readTexts(wire, discriminator);
  if (tool.actions !== undefined && discriminator !== undefined) {
    return tool.actions.map(({ key, description, inputSchema, annotations, deprecated }): Offer => ({
      kind: 'tool',
      name: `${tool.name}.${key}`,
      signature: `${tool.name}.${key}(${parametersText(inputSchema, [discriminator])})`,
      description,
      marks: showMarks(annotations, deprecated !== undefined),
      inputSchema,
    }));
  }
  if (discriminator === undefined || keys.length === 0) {
    const { name, description, inputSchema, annotations = {} } = tool;
    const signature = `${name}(${parametersText(inputSchema)})`;
    return [{ kind: 'tool', name, signature, description, marks: showMarks(annotations), inputSchema }];
  }
  // A server at a distance has one schema for all actions; its descriptions say which fields are whose
  return keys.map((key): Offer => {
    const inputSchema = readActionInput(tool.inputSchema, key, discriminator, new Set(keys));
    const line = signatureLine(tool.description, key);
    return {
      kind: 'tool',
      name: `${tool.name}.${key}`,
      signature: `${tool.name}.${key}(${line?.parameters ?? parametersText(inputSchema)})`,
      description: line?.description,
      marks: line?.marks ?? [],
      inputSchema,
    };
  });
}

const MAX_LINE_LENGTH = 4096;
const STRING = String.raw`"(?:[^"\\]|\\.)*"`;
/** A list with brackets in brackets: `((card: (string|null)[], cvc) | iban)`. */
const IN_BRACKETS = [1, 2].reduce(
  (inner) => String.raw`(?:${STRING}|[^()"]|\(${inner}\))*`,
  String.raw`(?:${STRING}|[^()"])*`,
);
const LINE = new RegExp(
  String.raw`^\((?<parameters>${IN_BRACKETS})\)(?:: (?<description>.*?))?(?<marks>(?: \[[a-z][^\]]*\])*)$`,
);

/** The line of an action in a description with signatures. */
function signatureLine(
  description = '',
  key: string,
): (Pick<Offer, 'description' | 'marks'> & { readonly parameters: string }) | undefined {
  const names = [key, JSON.stringify(key)];
  for (const line of description.split('\n')) {
    // Any server may have written it
    if (line.length > MAX_LINE_LENGTH) continue;
    const start = names.find((name) => line.startsWith(`${name}(`));
    const groups = start === undefined ? undefined : LINE.exec(line.slice(start.length))?.groups;
    if (groups === undefined) continue;
    const { parameters = '', description: text, marks = '' } = groups;
    const known = ['destructive', 'deprecated'].filter((mark) => marks.includes(` [${mark}`));
    return { parameters, description: text, marks: known };
  }
  return undefined;
}

function showMarks(
  { readOnlyHint, destructiveHint }: ToolAnnotationHints,
  isDeprecated = false,
): readonly string[] {
  return [
    ...(readOnlyHint === true ? ['read-only'] : []),
    ...(destructiveHint === true && readOnlyHint !== true ? ['destructive'] : []),
    ...(isDeprecated ? ['deprecated'] : []),
  ];
}

/** The fields of one action; those that say nothing of actions belong to all. */
export function readActionInput(
  schema: JsonSchema,
  action: string,
  discriminator: string,
  actions: ReadonlySet<string>,
): JsonSchema {
  const required: string[] = [];
  const own = Object.entries(schema.properties ?? {}).filter(([name, { description = '' }]) => {
    const needing = actionsAfter('Required for: ', description, actions);
    const taking = actionsAfter('For: ', description, actions);
    const isCommon = needing.length === 0 && taking.length === 0;
    if (needing.includes(action) || (isCommon && (schema.required?.includes(name) ?? false)))
      required.push(name);
    return name !== discriminator && (isCommon || needing.includes(action) || taking.includes(action));
  });
  return { ...schema, properties: Object.fromEntries(own), required };
}

function actionsAfter(marker: string, description: string, actions: ReadonlySet<string>): readonly string[] {
  const start = new RegExp(`(?:^|[.;] )${marker}`).exec(description);
  if (start === null) return [];
  const names = description.slice(start.index + start[0].length).split(', ');
  const found: string[] = [];
  for (const name of names) {
    const known = [name, name.replace(/[.;].*$/s, '')].find((each) => actions.has(each));
    if (known !== undefined) found.push(known);
    if (known !== name) break;
  }
  return found;
}

const DEEPEST = 2;
const MOST_VALUES = 6;

/** `title: string, priority?: integer`: what an input takes. */
function parametersText(schema: JsonSchema, without: readonly string[] = []): string {
  return parameterList(schema, schema, 0, without);
}

function parameterList(
  schema: JsonSchema,
  root: JsonSchema,
  depth: number,
  without: readonly string[] = [],
): string {
  return Object.entries(schema.properties ?? {})
    .filter(([name]) => !without.includes(name))
    .map(([name, property]) => {
      const isRequired = schema.required?.includes(name) ?? false;
      return `${name}${isRequired ? '' : '?'}: ${typeText(property, root, depth)}`;
    })
    .join(', ');
}

/** The type of a value, as TypeScript would write it; deep parts are shortened. */
function typeText(given: JsonSchema, root: JsonSchema, depth: number): string {
  const schema = dereference(root, given);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return valuesText(schema.enum);
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches !== undefined) {
    if (depth > DEEPEST) return '…';
    return [...new Set(branches.map((branch) => typeText(branch, root, depth + 1)))].join(' | ');
  }
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  if (types.length === 0) return 'any';
  return types.map((type) => namedType(type, schema, root, depth)).join(' | ');
}

function namedType(type: string, schema: JsonSchema, root: JsonSchema, depth: number): string {
  if (type === 'array') {
    const item = isPlainObject(schema.items) ? typeText(schema.items, root, depth + 1) : 'any';
    return item.includes(' | ') ? `(${item})[]` : `${item}[]`;
  }
  if (type !== 'object' || schema.properties === undefined) return type;
  return depth >= DEEPEST ? '{…}' : `{ ${parameterList(schema, root, depth + 1)} }`;
}

function valuesText(values: readonly unknown[]): string {
  const shown = values.slice(0, MOST_VALUES).map((value) => JSON.stringify(value));
  return [...shown, ...(values.length > MOST_VALUES ? ['…'] : [])].join(' | ');
}
