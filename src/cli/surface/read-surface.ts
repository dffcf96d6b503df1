import { createHash } from 'node:crypto';
import { HttpTransport } from '../../client/http-transport.ts';
import { McpClient } from '../../client/mcp-client.ts';
import type { CompiledToolDefinition, McpApplication, ServedSurface } from '../../index.ts';
import type { Group } from '../../model/index.ts';
import { canonicalJson } from '../../shared/canonical-json.ts';
import { titleFromName } from '../../shared/names.ts';
import { summarizeTools } from '../../shared/tool-summary.ts';
import type { ClientProfiles } from '../../profiles/profiles.ts';
import { countToolTokens } from '../../tokens/index.ts';
import { readClientName } from '../client-rules/find-client.ts';
import { openTarget, type Target, type TargetOptions } from '../target/target.ts';
import {
  asListed,
  type LockedSurface,
  type Surface,
  type SurfacesByClient,
  type SurfaceTool,
} from './surface.ts';

type Lists = Pick<Surface, 'tools' | 'prompts' | 'resources' | 'resourceTemplates'>;

/** Everything that a target offers; opened and closed for it. */
export async function surfaceOfTarget(
  reference: string | undefined,
  options: TargetOptions,
): Promise<Surface> {
  const target = await openTarget(reference, options);
  try {
    return await readSurfaceOfTarget(target, options);
  } finally {
    await target.close();
  }
}

/** What an opened target offers. */
export async function readSurfaceOfTarget(target: Target, options: TargetOptions): Promise<Surface> {
  const { application } = target;
  const { era, surface, client, byClient } = options;
  if (application !== undefined && (surface !== undefined || client !== undefined)) {
    const [whole, listed] = [await surfaceOfApplication(application), await findListed(target, options)];
    return withListed(whole, application, listed);
  }
  if (application !== undefined && byClient !== undefined)
    return readLockedSurface({ application, options: target.options }, byClient);
  // A client of one era sees what that era lists; an application knows more of its actions
  if (application !== undefined && era === undefined) return surfaceOfApplication(application);
  return surfaceOfClient(await target.connect());
}

/** Which tools of an application are listed. */
interface ChosenList {
  readonly surface: ReturnType<McpApplication['registry']['surfaceFor']>;
  /** What belongs to no group. */
  readonly beside: ReturnType<McpApplication['toolsBeside']>;
}

/** The surface that was chosen, or the one that the application would choose for a client. */
async function findListed(
  { application, options }: Target,
  { surface, client = '' }: TargetOptions,
): Promise<ChosenList> {
  const app = application as McpApplication;
  const { registry } = app;
  const name = client === '' ? undefined : readClientName(await loadProfilesFor(options), client);
  const fit = registry.settings.surfaces?.fitting?.find({ name });
  if (surface !== undefined)
    return { surface: registry.surfaceNamed(surface), beside: app.toolsBeside(fit, false) };
  const fitting = registry.surfaceFor(fit);
  return { surface: fitting, beside: app.toolsBeside(fit, fit !== undefined && fitting !== undefined) };
}

interface LockedTarget {
  readonly application: McpApplication;
  readonly options?: Target['options'] | undefined;
}

/** What an application offers, with what each client gets of it, as a lock has it. */
export async function readLockedSurface(target: LockedTarget, form: 'short' | 'full'): Promise<Surface> {
  return { ...(await surfaceOfApplication(target.application)), ...(await readByClient(target, form)) };
}

/** No surfaces where all clients get the same. */
async function readByClient(
  { application: app, options }: LockedTarget,
  form: 'short' | 'full',
): Promise<Partial<SurfacesByClient>> {
  const { registry } = app;
  const { surfaces } = registry.settings;
  if (surfaces?.fitting === undefined) return { surfaces: {} };
  const { edition } = await loadProfilesFor(options);
  const summaries = app.surfaces;
  const locked: [string, LockedSurface][] = [];
  for (const [surface] of registry.offered) {
    if (surface === undefined) continue;
    const found = registry.listed(surface);
    const { hash, tools: names, clients, beside } = summaries[surface.key] as ServedSurface;
    const tools = listTools(found, groupsByName(app.model));
    const { tokens } = await countToolTokens(tools.map(asListed));
    const whole = form === 'full' ? { tools } : {};
    const others = Object.keys(beside).length === 0 ? {} : { beside };
    locked.push([surface.key, { clients, hash, tokens, names, ...others, ...whole }]);
  }
  const foreign = surfaces.foreignNames ? {} : { foreignNames: false as const };
  return { surfaces: Object.fromEntries(locked), profiles: edition, ...foreign };
}

/** As the application corrects them. */
async function loadProfilesFor(options: Target['options']): Promise<ClientProfiles> {
  const { loadProfiles } = await import('../../profiles/profiles.ts');
  const { surface } = options ?? {};
  return loadProfiles(typeof surface === 'object' ? surface.profiles : undefined);
}

/** The same server with the tools of a surface. */
function withListed(whole: Surface, app: McpApplication, { surface, beside }: ChosenList): Surface {
  const found = app.registry.listed(surface);
  const added = beside as unknown as readonly SurfaceTool[];
  const tools = [...found.map(({ definition }) => definition as SurfaceTool), ...added];
  const { prompts, resources, resourceTemplates } = whole;
  const isOwn = surface === undefined && added.length === 0;
  const surfaceHash = isOwn ? app.surfaceHash : hashOf({ tools, prompts, resources, resourceTemplates });
  return { ...whole, tools: [...listTools(found, groupsByName(app.model)), ...added], surfaceHash };
}

/** As clients are sent them, and what each action of a tool takes. */
function listTools(
  tools: ReturnType<McpApplication['registry']['listed']>,
  groups: ReadonlyMap<string, Group>,
): readonly SurfaceTool[] {
  return tools.map(({ definition, discriminator }) => {
    const { name, title = titleFromName(name), ...others } = definition;
    const tool = { name, title, ...others } as SurfaceTool;
    if (discriminator === undefined) return tool;
    const whole = withActions(tool, definition as CompiledToolDefinition, groups.get(name));
    return { ...whole, actions: (definition as CompiledToolDefinition).actions() };
  });
}

function groupsByName({ groups }: McpApplication['model']): ReadonlyMap<string, Group> {
  return new Map(groups.map((group) => [group.name, group]));
}

/** What a server offers to this client. What it lists for this request alone is part of it. */
export async function surfaceOfClient(client: McpClient): Promise<Surface> {
  const lists = await listAll(client);
  return surfaceOf(client, lists, hashOf(lists));
}

/**
 * What an application offers: the lists of its clients, without what functions of the user list for each request, so
 * that it is the same at each start; and what each action takes, which the schema of a grouped tool cannot say.
 */
export async function surfaceOfApplication(app: McpApplication): Promise<Surface> {
  const ask: typeof fetch = (input, init) => app.fetch(new Request(input, init));
  const client = await McpClient.connect(new HttpTransport('http://localhost/mcp', { fetch: ask }));
  try {
    const seen = await listAll(client);
    const fixed = new Set(app.model.resources.map(({ uri }) => uri));
    const definitions = new Map(app.definitions.map((definition) => [definition.name, definition]));
    const groups = groupsByName(app.model);
    const lists = {
      ...seen,
      tools: seen.tools.map((tool) => withActions(tool, definitions.get(tool.name), groups.get(tool.name))),
      resources: seen.resources.filter(({ uri }) => fixed.has(uri)),
    };
    return withoutSummary(surfaceOf(client, lists, app.surfaceHash), app);
  } finally {
    await client.close();
  }
}

/** Instructions that only sum up the tools are left out: one more action would be a risky change of them. */
function withoutSummary(surface: Surface, { definitions }: McpApplication): Surface {
  const { instructions, ...others } = surface;
  const { name = '', title } = surface.server;
  const summary = summarizeTools({ name, ...(title === undefined ? {} : { title }) }, definitions);
  return instructions === summary ? others : surface;
}

async function listAll(client: McpClient): Promise<Lists> {
  const { capabilities } = client.server;
  const hasResources = 'resources' in capabilities;
  return {
    tools: 'tools' in capabilities ? ((await client.listTools()) as unknown as Lists['tools']) : [],
    prompts: 'prompts' in capabilities ? ((await client.listPrompts()) as Lists['prompts']) : [],
    resources: hasResources ? ((await client.listResources()) as Lists['resources']) : [],
    resourceTemplates: hasResources
      ? ((await client.listResourceTemplates()) as Lists['resourceTemplates'])
      : [],
  };
}

function surfaceOf({ server }: McpClient, lists: Lists, surfaceHash: string): Surface {
  const { name, title, version, instructions } = server;
  const introduced = Object.entries({ name, title, version }).filter(([, value]) => value !== undefined);
  return {
    surfaceHash,
    server: Object.fromEntries(introduced),
    ...(instructions === undefined ? {} : { instructions }),
    ...lists,
  };
}

/** Hashed as an application hashes its own lists. */
function hashOf({ tools, prompts, resources, resourceTemplates }: Lists): string {
  const lists = { tools, prompts, resources, resourceTemplates };
  return createHash('sha256').update(canonicalJson(lists)).digest('hex');
}

/** A tool that is one action by itself says all in its own schema. */
function withActions(
  tool: SurfaceTool,
  definition: CompiledToolDefinition | undefined,
  group: Group | undefined,
): SurfaceTool {
  if (definition === undefined || group === undefined) return tool;
  return { ...tool, groups: Object.fromEntries(describeGroups(group)), actions: definition.actions() };
}

function describeGroups(group: Group, path = ''): readonly (readonly [string, string])[] {
  const inner = group.childGroups.flatMap((child) =>
    describeGroups(child, path === '' ? child.name : `${path}.${child.name}`),
  );
  return group.description === undefined ? inner : [[path, group.description], ...inner];
}
