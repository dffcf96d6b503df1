import { pointTo } from '../../../schema/pointer.ts';
import { isSameJson } from '../../../shared/canonical-json.ts';
import { copyJson, isPlainObject, type PlainObject } from '../../../shared/json.ts';
import {
  type CanonicalTool,
  parseToolId,
  toolId,
  type ToolIdParts,
  type SecurityRequirement,
  type SecuritySchemes,
} from '../../canonical/canonical-tool.ts';
import { InvalidToolIdError, type Conversion } from '../../errors.ts';
import type { Losses } from '../../losses.ts';
import { readSchema, type Reading } from '../reading.ts';
import { defined, describing, isEmpty, ONLY_MCP, reportLost, type ToolField } from '../writing.ts';

/** Reads a skill. It says nothing about arguments but that they are an object. */
export function readSkill(reading: Reading): CanonicalTool {
  const id = reading.name('id');
  return defined({
    ...nameOfSkill(id),
    inputSchema: { type: 'object' },
    title: reading.text('name'),
    description: reading.text('description'),
    tags: reading.texts('tags'),
    examples: reading.texts('examples'),
    inputModes: reading.texts('inputModes'),
    outputModes: reading.texts('outputModes'),
    securityRequirements: readRequirements(reading),
    source: { format: 'a2a', extra: { skillId: id, ...reading.others } },
  });
}

/** True for a whole card, which describes an agent and not one of its skills. */
export function isCard(reading: Reading): boolean {
  return ['skills', 'supportedInterfaces', 'capabilities', 'protocolVersion'].some((key) => reading.has(key));
}

interface SkillRequest {
  readonly tool: CanonicalTool;
  readonly losses: Losses;
  /** The pointer to the tool in what is converted; "" for a tool alone. */
  readonly path: string;
  /** True where the schemas travel beside the skills. */
  readonly keepsSchemas: boolean;
}

/** The id of the skill that a tool becomes. */
export function skillIdOf(tool: CanonicalTool): string {
  const skillId = tool.source?.extra.skillId;
  return typeof skillId === 'string' && skillId !== '' ? skillId : toolId(tool);
}

/** Writes a skill. */
export function writeSkill(request: SkillRequest): PlainObject {
  const { tool } = request;
  const { skillId: _skillId, ...extra } = tool.source?.format === 'a2a' ? tool.source.extra : {};
  const id = skillIdOf(tool);
  const { text, field } = describing(tool);
  const lost: readonly ToolField[] = [
    ...ONLY_MCP,
    ...(field === 'summary' ? [] : (['summary'] as const)),
    ...missingIn(id, tool),
    ...(request.keepsSchemas ? [] : telling(tool)),
  ];
  reportLost(request, lost, request.path);
  return copyJson({
    id,
    name: isEmpty(tool.title) ? tool.name : tool.title,
    description: text ?? tool.name,
    tags: tool.tags ?? [],
    ...(tool.examples !== undefined && { examples: examplesOf(request, tool.examples) }),
    ...(tool.inputModes !== undefined && { inputModes: tool.inputModes }),
    ...(tool.outputModes !== undefined && { outputModes: tool.outputModes }),
    ...(tool.securityRequirements !== undefined && {
      securityRequirements: writeRequirements(tool.securityRequirements),
    }),
    ...extra,
  });
}

/** What the id does not carry. */
function missingIn(id: string, tool: CanonicalTool): readonly ToolField[] {
  const carried = nameOfSkill(id);
  return (['namespace', 'version'] as const).filter((field) => carried[field] !== tool[field]);
}

/** The schemas that say more than "an object". */
function telling({ inputSchema, outputSchema }: CanonicalTool): readonly ToolField[] {
  return [
    ...(isTelling(inputSchema) ? (['inputSchema'] as const) : []),
    ...(outputSchema !== undefined && isTelling(outputSchema) ? (['outputSchema'] as const) : []),
  ];
}

function isTelling(schema: unknown): boolean {
  const silent = [true, {}, { type: 'object' }, { type: 'object', properties: {} }];
  return !silent.some((each) => isSameJson(each, schema));
}

/** Examples are sentences; anything else is written as JSON. */
function examplesOf({ losses, path }: SkillRequest, examples: readonly unknown[]): readonly string[] {
  return examples.map((example, position) => {
    if (typeof example === 'string') return example;
    const place = pointTo(path, 'examples', position);
    losses.report({
      feature: 'examples',
      path: place,
      action: 'transformed',
      outcome: 'an example became JSON text.',
    });
    return JSON.stringify(example);
  });
}

const FORBIDDEN = /[^A-Za-z0-9_.-]/gu;
const MAX_LENGTH = 128;

/** The id as the id of a tool; if it is not a valid one, the whole id, made to fit, is the name. */
function nameOfSkill(id: string): ToolIdParts {
  const parts = partsOf(id);
  const isName =
    parts !== undefined && parts.name.length <= MAX_LENGTH && parts.name.search(FORBIDDEN) === -1;
  return isName ? parts : { name: id.replace(FORBIDDEN, '_').slice(0, MAX_LENGTH) };
}

function partsOf(id: string): ToolIdParts | undefined {
  try {
    return parseToolId(id);
  } catch (error) {
    if (error instanceof InvalidToolIdError) return undefined;
    throw error;
  }
}

/** The extension that carries the schemas of tools, for which a skill has no place. */
const URI = 'urn:toolwright:a2a:tool-schemas:1';

const isOurs = (extension: unknown): boolean => isPlainObject(extension) && extension.uri === URI;

/** The capabilities of a card, with the schemas of its tools. */
export function addSchemas(capabilities: PlainObject, tools: readonly CanonicalTool[]): PlainObject {
  const { extensions } = capabilities;
  const others: readonly unknown[] = Array.isArray(extensions) ? extensions : [];
  const skills = tools.map((tool) => [
    skillIdOf(tool),
    {
      inputSchema: tool.inputSchema,
      ...(tool.outputSchema !== undefined && { outputSchema: tool.outputSchema }),
    },
  ]);
  const extension = {
    uri: URI,
    description: 'The JSON Schemas of the arguments and results of the skills.',
    required: false,
    params: { skills: Object.fromEntries(skills) as PlainObject },
  };
  return { ...capabilities, extensions: [...others.filter((each) => !isOurs(each)), extension] };
}

/** The tools with the schemas that the card has for them. */
export function restoreSchemas(
  conversion: Conversion,
  capabilities: PlainObject,
  tools: readonly CanonicalTool[],
): readonly CanonicalTool[] {
  const extensions: readonly unknown[] = Array.isArray(capabilities.extensions)
    ? capabilities.extensions
    : [];
  const position = extensions.findIndex(isOurs);
  const extension = extensions[position];
  const params = isPlainObject(extension) ? extension.params : undefined;
  const skills = isPlainObject(params) ? params.skills : undefined;
  if (!isPlainObject(skills)) return tools;
  const path = pointTo('', 'capabilities', 'extensions', position, 'params', 'skills');
  return tools.map((tool) => {
    const id = skillIdOf(tool);
    const held = Object.hasOwn(skills, id) ? skills[id] : undefined;
    return isPlainObject(held) ? restored(conversion, tool, held, pointTo(path, id)) : tool;
  });
}

function restored(
  conversion: Conversion,
  tool: CanonicalTool,
  held: PlainObject,
  path: string,
): CanonicalTool {
  const { inputSchema, outputSchema } = held;
  const read = (schema: unknown, key: string) => readSchema(conversion, schema, pointTo(path, key));
  return {
    ...tool,
    ...(inputSchema !== undefined && { inputSchema: read(inputSchema, 'inputSchema') }),
    ...(outputSchema !== undefined && { outputSchema: read(outputSchema, 'outputSchema') }),
  };
}

/** The capabilities without what was restored from them. */
export function withoutSchemas({ extensions, ...capabilities }: PlainObject): PlainObject {
  if (!Array.isArray(extensions)) return { ...capabilities, ...(extensions !== undefined && { extensions }) };
  const others = extensions.filter((each) => !isOurs(each));
  return others.length === 0 ? capabilities : { ...capabilities, extensions: others as readonly unknown[] };
}

/** The wrappers of protocol 1.0, and the type that OpenAPI has for each. */
const TYPES = {
  apiKeySecurityScheme: 'apiKey',
  httpAuthSecurityScheme: 'http',
  oauth2SecurityScheme: 'oauth2',
  openIdConnectSecurityScheme: 'openIdConnect',
  mtlsSecurityScheme: 'mutualTLS',
} as const;

const WRAPPERS = new Map<unknown, string>(Object.entries(TYPES).map(([wrapper, type]) => [type, wrapper]));

/** Schemes in their flat form, from either form. */
export function readSchemes(schemes: PlainObject): SecuritySchemes {
  const entries = Object.entries(schemes).filter((entry): entry is [string, PlainObject] =>
    isPlainObject(entry[1]),
  );
  return Object.fromEntries(entries.map(([name, scheme]) => [name, readScheme(scheme)]));
}

function readScheme(scheme: PlainObject): PlainObject {
  for (const [wrapper, type] of Object.entries(TYPES)) {
    const inner = scheme[wrapper];
    if (!isPlainObject(inner)) continue;
    const { location, ...members } = inner;
    return { type, ...members, ...(location !== undefined && { in: location }) };
  }
  return scheme;
}

/** Schemes in the form of protocol 1.0, and the names of those that it does not know. */
export function writeSchemes(schemes: SecuritySchemes): {
  readonly schemes: PlainObject;
  readonly unknown: readonly string[];
} {
  const entries = Object.entries(schemes).map(([name, scheme]) => [name, writeScheme(scheme)] as const);
  return {
    schemes: Object.fromEntries(entries.filter(([, scheme]) => scheme !== undefined)),
    unknown: entries.filter(([, scheme]) => scheme === undefined).map(([name]) => name),
  };
}

function writeScheme({ type, in: location, ...members }: PlainObject): PlainObject | undefined {
  const wrapper = WRAPPERS.get(type);
  if (wrapper === undefined) return undefined;
  return { [wrapper]: { ...members, ...(location !== undefined && { location }) } };
}

/** Requirements in their flat form, from either form. */
export function readRequirements(reading: Reading): readonly SecurityRequirement[] | undefined {
  const requirements = reading.objects('securityRequirements') ?? reading.objects('security');
  // Read in any case: the other form must not be left over
  reading.value('security');
  return requirements?.map((requirement) => {
    const { schemes } = requirement;
    const isWrapped = isPlainObject(schemes);
    const entries = Object.entries(isWrapped ? schemes : requirement);
    return Object.fromEntries(entries.map(([name, scopes]) => [name, scopesOf(scopes)]));
  });
}

function scopesOf(scopes: unknown): readonly string[] {
  const list = isPlainObject(scopes) ? scopes.list : scopes;
  return Array.isArray(list) ? list.map(String) : [];
}

/** Requirements in the form of protocol 1.0. */
export function writeRequirements(requirements: readonly SecurityRequirement[]): readonly PlainObject[] {
  return requirements.map((requirement) => ({
    schemes: Object.fromEntries(Object.entries(requirement).map(([name, list]) => [name, { list }])),
  }));
}
