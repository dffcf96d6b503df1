import type { JsonSchema } from '../../shared/json-schema.ts';
import { membersOf } from '../../shared/json.ts';
import { titleFromName } from '../../shared/names.ts';
import { summarizeTools } from '../../shared/tool-summary.ts';
import { countToolTokens } from '../../tokens/index.ts';
import type { CreatedApplication } from '../target/entry-host.ts';
import type { JudgedAction, JudgedServer, JudgedTool, JudgedView } from './judged.ts';

/** One way to list the actions of an application; undefined for the one that its groups say. */
export type ListedSurface = ReturnType<Application['registry']['surfaceFor']>;

/**
 * What clients of a surface get of an application, and what is known of its actions. Nothing is called.
 * @param listed Default: the surface of a client that is not known
 */
export function readServer(
  { application, options, listenOptions }: CreatedApplication,
  listed: { readonly surface: ListedSurface } = { surface: application.registry.surfaceFor() },
): JudgedServer {
  const { name = 'The application', title, pageSize, auth } = options;
  const about = { name, ...(title === undefined ? {} : { title }) };
  const definitions = application.registry.listed(listed.surface).map(({ definition }) => definition);
  const { instructions = summarizeTools(about, definitions) } = options;
  const { prompts, resources, resourceTemplates } = application.model;
  const isAuthorized = auth !== undefined && auth !== false;
  return {
    name,
    tools: readTools(application, listed.surface),
    views: readViews(application),
    ...(typeof instructions === 'string' ? { instructions } : {}),
    prompts: prompts.length,
    resources: resources.length + resourceTemplates.length,
    ...(pageSize === undefined ? {} : { pageSize }),
    // A function of the user may take any token
    auth: isAuthorized ? readAuthKind(auth) : listenOptions?.authenticate === undefined ? 'none' : 'oauth',
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
type ListedAction = ReturnType<Definition['actions']>[number];
type ScannedAction = Application['registry']['sets'][number]['prepared']['scanned']['actions'][number];

/** What an application knows of one of its actions. */
interface KnownAction {
  readonly scanned?: ScannedAction | undefined;
  readonly listed?: ListedAction | undefined;
}

function readTools(application: Application, surface: ListedSurface): readonly JudgedTool[] {
  const known = readKnownActions(application);
  return application.registry.listed(surface).map(({ definition, actions }) => {
    const { name, title, description, inputSchema, outputSchema, annotations } = definition;
    // Where the tool is one action, its hints are those of the action
    const isOwnHint = actions.length === 1 && annotations.readOnlyHint === true;
    return {
      ...{ name, description, inputSchema, annotations: { ...annotations } },
      // As clients are sent it
      title: title ?? titleFromName(name),
      ...(outputSchema === undefined ? {} : { outputSchema }),
      actions: actions.map(({ root, key }) => readAction(key, isOwnHint, known.get(nameKey(root, key)))),
    };
  });
}

/** One action declares the page of a view; others name it. */
function readViews({ registry }: Application): readonly JudgedView[] {
  const actions = registry.sets.flatMap(({ prepared }) => prepared.scanned.actions);
  return actions.flatMap(({ slots }) => {
    const { uri, html, csp } = membersOf(slots['views']) as Partial<JudgedView> & { readonly html?: unknown };
    if (uri === undefined || html === undefined) return [];
    return [{ uri, ...(csp === undefined ? {} : { csp }) }];
  });
}

function nameKey(root: string, key: string): string {
  return `${root} ${key}`;
}

/** By the root group and the key: every surface has the same actions. */
function readKnownActions({ definitions, registry }: Application): ReadonlyMap<string, KnownAction> {
  const known = new Map<string, KnownAction>();
  const roots = new Map(
    registry.sets.flatMap(({ name, tools }) => tools.map((tool) => [tool.definition.name, name] as const)),
  );
  for (const definition of definitions) {
    for (const listed of definition.actions())
      known.set(nameKey(roots.get(definition.name) ?? '', listed.key), { listed });
  }
  for (const { name, prepared } of registry.sets) {
    for (const scanned of prepared.scanned.actions) {
      const key = nameKey(name, scanned.key);
      known.set(key, { ...known.get(key), scanned });
    }
  }
  return known;
}

function readAction(key: string, isOwnHint: boolean, { scanned, listed }: KnownAction = {}): JudgedAction {
  const { confirm, outputSchema } = listed ?? {};
  return {
    key,
    isReadOnly: scanned?.isReadOnly === true || isOwnHint,
    isDestructive: scanned?.isDestructive === true,
    isPaged: hasCursor(outputSchema),
    hasBudget: membersOf(scanned?.slots['budgets'])['isOwn'] === true,
    ...(confirm === undefined ? {} : { confirm }),
    ...(outputSchema === undefined ? {} : { outputSchema }),
    ...(scanned === undefined ? {} : { result: scanned.result }),
  };
}

/** @Page adds it to the output. */
function hasCursor(outputSchema: JsonSchema | undefined): boolean {
  return outputSchema?.properties?.['nextCursor'] !== undefined;
}

/** Whether people sign in anywhere, or clients bring a key. */
function readAuthKind({
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
