import type { JsonSchema } from '../../shared/json-schema.ts';
import { membersOf } from '../../shared/json.ts';
import { titleFromName } from '../../shared/names.ts';
import { summarizeTools } from '../../shared/tool-summary.ts';
import { countToolTokens } from '../../tokens/index.ts';
import type { CreatedApplication } from '../target/entry-host.ts';
import type { JudgedAction, JudgedServer, JudgedTool } from './judged.ts';

/** What every client gets of an application, and what is known of its actions. Nothing is called. */
export function readServer({ application, options, listenOptions }: CreatedApplication): JudgedServer {
  const { name = 'The application', title, pageSize, auth } = options;
  const about = { name, ...(title === undefined ? {} : { title }) };
  const { instructions = summarizeTools(about, application.definitions) } = options;
  const { prompts, resources, resourceTemplates } = application.model;
  const isAuthorized = auth !== undefined && auth !== false;
  return {
    name,
    tools: readTools(application),
    ...(typeof instructions === 'string' ? { instructions } : {}),
    prompts: prompts.length,
    resources: resources.length + resourceTemplates.length,
    ...(pageSize === undefined ? {} : { pageSize }),
    // A function of the user may take any token
    auth: isAuthorized ? kindOf(auth) : listenOptions?.authenticate === undefined ? 'none' : 'oauth',
    changesLists: isAuthorized,
  };
}

/** The same with the tokens of each tool. */
export async function countTools(server: JudgedServer): Promise<JudgedServer> {
  const listed = server.tools.map(({ actions: _actions, ...tool }) => tool);
  const { tools: counted } = await countToolTokens(listed);
  const tools = server.tools.map((tool, index) => ({ ...tool, tokens: counted[index]?.tokens ?? 0 }));
  return { ...server, tools };
}

type Application = CreatedApplication['application'];
type Definition = Application['definitions'][number];

function readTools({ definitions, registry }: Application): readonly JudgedTool[] {
  const known = new Map(
    registry.sets.flatMap(({ tools, prepared }) => {
      const scanned = new Map(prepared.scanned.actions.map((action) => [action.key, action]));
      return tools.map((tool) => [tool.definition.name, scanned] as const);
    }),
  );
  return definitions.map((definition) => {
    const { name, title, description, inputSchema, outputSchema, annotations } = definition;
    return {
      ...{ name, description, inputSchema, annotations: { ...annotations } },
      // As clients are sent it
      title: title ?? titleFromName(name),
      ...(outputSchema === undefined ? {} : { outputSchema }),
      actions: readActions(definition, known.get(name)),
    };
  });
}

type Scanned = Application['registry']['sets'][number]['prepared']['scanned']['actions'][number];

function readActions(
  definition: Definition,
  scanned: ReadonlyMap<string, Scanned> | undefined,
): readonly JudgedAction[] {
  const listed = definition.actions();
  // Where the tool is one action, its hints are those of the action
  const { readOnlyHint } = definition.annotations;
  return listed.map(({ key, confirm, outputSchema }) => {
    const action = scanned?.get(key);
    const isOwnHint = listed.length === 1 && readOnlyHint === true;
    return {
      key,
      isReadOnly: action?.isReadOnly === true || isOwnHint,
      isDestructive: action?.isDestructive === true,
      isPaged: hasCursor(outputSchema),
      hasBudget: membersOf(action?.slots['budgets'])['isOwn'] === true,
      ...(confirm === undefined ? {} : { confirm }),
      ...(outputSchema === undefined ? {} : { outputSchema }),
      ...(action === undefined ? {} : { result: action.result }),
    };
  });
}

/** @Page adds it to the output. */
function hasCursor(outputSchema: JsonSchema | undefined): boolean {
  return outputSchema?.properties?.['nextCursor'] !== undefined;
}

/** Whether people sign in anywhere, or clients bring a key. */
function kindOf({
  signIn,
  verify = [],
  authorizationServers = [],
}: {
  readonly signIn?: unknown;
  readonly verify?: unknown;
  readonly authorizationServers?: readonly string[];
}): 'oauth' | 'headers' {
  const verifiers: readonly unknown[] = [verify].flat();
  const isIssued = verifiers.some((each) => {
    const { issuers } = (each ?? {}) as { readonly issuers?: readonly string[] };
    return issuers !== undefined && issuers.length > 0;
  });
  return signIn !== undefined || authorizationServers.length > 0 || isIssued ? 'oauth' : 'headers';
}
