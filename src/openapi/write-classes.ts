import { refuseOptions } from '../errors/option-errors.ts';
import { warn } from '../operations/api-options.ts';
import { withCurationFile } from '../operations/curation-file.ts';
import { shortText } from '../operations/inputs.ts';
import { groupName } from '../operations/names.ts';
import type { OperationHints } from '../operations/operation.ts';
import { groupOperations } from '../operations/operation-controllers.ts';
import type { OperationSettings } from '../operations/settings.ts';
import { takePart } from './document-part.ts';
import { takeFingerprints } from './fingerprint.ts';
import { className, methodName, quoted } from './identifiers.ts';
import { findFetch } from './find-api.ts';
import { OPENAPI_RULES } from './options.ts';
import type { OpenApiPlanOptions } from './plan-openapi.ts';
import { readApi, type OfferedDocumentOperation } from './read-api.ts';
import { readDocument, type OpenApiDocument, type OpenApiSource } from './read-document.ts';
import { DtoFile } from './write-dto.ts';

/** Files by their names, relative to one folder. */
export type OpenApiFiles = Readonly<Record<string, string>>;

const WHERE = 'writeOpenApiClasses()';

/**
 * Writes classes for the operations of a document, which are yours from then on: for each group a controller and the classes of its
 * inputs, a client with the address and the credentials, a module, `operations.ts` with what classes cannot say, and
 * `operations.json` with hashes of each operation, for {@link findOpenApiChanges}. The same document gives the same texts.
 *
 * @throws ToolwrightError TW_OPENAPI_DOCUMENT; ApplicationError with every problem of the operations
 * @example
 * import { writeOpenApiClasses } from 'toolwright/openapi';
 *
 * const files = await writeOpenApiClasses('./shop.openapi.json', { include: ['orders.*'] });
 * const names = Object.keys(files);
 */
export async function writeOpenApiClasses(
  document: OpenApiSource,
  given: Omit<OpenApiPlanOptions, 'maxTokens'> = {},
): Promise<OpenApiFiles> {
  refuseOptions('TW_APPLICATION_OPTION', WHERE, { ...given, document }, OPENAPI_RULES);
  const options: Omit<OpenApiPlanOptions, 'maxTokens'> = withCurationFile(given);
  const whole = await readDocument(document, findFetch(options, WHERE));
  const read = readApi(whole, options);
  read.problems.throwIfAny(WHERE);
  for (const warning of read.warnings) warn(options.logger, warning);
  const groups = groupOperations(read.operations);
  const files = [...groups].flatMap(([group, operations]) => writeGroup(group, operations));
  const part = JSON.stringify(takePart(whole.root, read), undefined, 2);
  return Object.fromEntries([
    ['operations.ts', `${PART_HEAD}${part};\n`],
    ['operations.json', `${JSON.stringify(takeFingerprints(whole.root, read.operations), undefined, 2)}\n`],
    ['api.client.ts', writeClient(whole, read.operations)],
    ['api.module.ts', writeModule([...groups.keys()])],
    ...files,
  ]);
}

/** What stands before the document in `operations.ts`. */
const PART_HEAD = `// Written by \`toolwright import openapi\`, which writes it again: do not edit.
import type { DocumentPart } from 'toolwright/openapi';

export const OPERATIONS: DocumentPart = `;

function writeGroup(
  group: string,
  operations: readonly OfferedDocumentOperation[],
): readonly (readonly [string, string])[] {
  const dto = new DtoFile();
  const imports = new Set(['Action', 'OpenWorld', 'ToolContext', 'ToolGroup']);
  const inputs: string[] = [];
  const names = new Set<string>();
  const members = operations.map((operation) => {
    const input = operation.input?.source;
    const type = input === undefined ? undefined : dto.addInput(operation, input);
    if (type !== undefined) inputs.push(type);
    let name = methodName(operation.name);
    while (names.has(name)) name += '_';
    names.add(name);
    return writeAction(operation, { name, type, imports });
  });
  const controller = [
    [
      `import { ${[...imports].sort().join(', ')} } from 'toolwright';`,
      "import { ApiClient } from './api.client.js';",
      ...(inputs.length === 0
        ? []
        : [`import { ${[...new Set(inputs)].sort().join(', ')} } from './${group}.dto.js';`]),
    ].join('\n'),
    `@ToolGroup({ name: ${quoted(group)} })
@OpenWorld()
export class ${className(group)}Controller {
  constructor(private readonly api: ApiClient) {}

${members.join('\n\n')}
}
`,
  ].join('\n\n');
  const classes = dto.text();
  return [
    [`${group}.controller.ts`, controller],
    ...(classes === undefined ? [] : [[`${group}.dto.ts`, classes] as const]),
  ];
}

interface WrittenMember {
  readonly name: string;
  readonly type: string | undefined;
  readonly imports: Set<string>;
}

function writeAction(operation: OfferedDocumentOperation, { name, type, imports }: WrittenMember): string {
  const { key, hints, settings, title } = operation;
  const description = settings.description ?? shortText(operation.description ?? title ?? key);
  const marks = writeMarks(hints, settings);
  for (const [mark] of marks) imports.add(mark);
  const facts = [
    ...(name === operation.name ? [] : [`name: ${quoted(operation.name)}`]),
    ...(title === undefined ? [] : [`title: ${quoted(title)}`]),
    `description: ${quoted(description)}`,
  ];
  const [input, sent] = type === undefined ? ['', '{}'] : [`input: ${type}, `, 'input'];
  return `  @Action({ ${facts.join(', ')} })
${marks.map(([mark, given]) => `  @${mark}(${given})\n`).join('')}  ${name}(${input}context: ToolContext): Promise<unknown> {
    return this.api.call(${quoted(key)}, ${sent}, context);
  }`;
}

/** Decorators and what they are given, by the hints and the settings of an action. */
function writeMarks(
  { readOnly, destructive, idempotent }: OperationHints,
  { confirm, idempotent: once, timeout, roles, scopes }: OperationSettings,
): readonly (readonly [name: string, given: string])[] {
  const list = (texts: readonly string[]): string => texts.map(quoted).join(', ');
  const asked = typeof confirm === 'string' ? quoted(confirm) : String(confirm);
  return [
    ...(readOnly ? [['ReadOnly', ''] as const] : []),
    ...(destructive ? [['Destructive', confirm === undefined ? '' : `{ confirm: ${asked} }`] as const] : []),
    ...(idempotent && !readOnly
      ? [['Idempotent', typeof once === 'object' ? `{ key: ${quoted(once.key)} }` : ''] as const]
      : []),
    ...(timeout === undefined ? [] : [['Timeout', String(timeout)] as const]),
    ...(roles === undefined ? [] : [['Roles', list(roles)] as const]),
    ...(scopes === undefined ? [] : [['Scopes', list(scopes)] as const]),
  ];
}

/** Where the API is, and which credentials it wants: of each operation the first alternative. */
function writeClient(
  { root, servers }: OpenApiDocument,
  operations: readonly OfferedDocumentOperation[],
): string {
  const schemes = operations.flatMap(({ value }) => {
    const given = value['security'] ?? root['security'];
    return Object.keys(((given as readonly object[] | undefined) ?? [])[0] ?? {});
  });
  const credentials = [...new Set(schemes)].map((scheme) => {
    const variable = `API_${groupName(scheme).toUpperCase()}`;
    return `        ${quoted(scheme)}: { env: ${quoted(variable)} },\n`;
  });
  const server = servers.length === 1 && URL.canParse(servers[0] ?? '') ? servers[0] : undefined;
  const place =
    server === undefined ? "process.env['API_URL'] ?? ''" : `process.env['API_URL'] ?? ${quoted(server)}`;
  return `import { Injectable } from 'toolwright';
import { OpenApiClient } from 'toolwright/openapi';
import { OPERATIONS } from './operations.js';

@Injectable()
export class ApiClient extends OpenApiClient {
  constructor() {
    super({
      operations: OPERATIONS,
      baseUrl: ${place},
${credentials.length === 0 ? '' : `      credentials: {\n${credentials.join('')}      },\n`}    });
  }
}
`;
}

function writeModule(groups: readonly string[]): string {
  const controllers = groups.map((group) => `${className(group)}Controller`);
  const imports = groups.map(
    (group, index) => `import { ${controllers[index] ?? ''} } from './${group}.controller.js';`,
  );
  return `import { Module } from 'toolwright';
import { ApiClient } from './api.client.js';
${imports.join('\n')}

@Module({
  controllers: [${controllers.join(', ')}],
  providers: [ApiClient],
})
export class ApiModule {}
`;
}
