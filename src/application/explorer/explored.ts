import type {
  ListedAction,
  CompiledToolDefinition,
  ExplainedInput,
} from '../../compile/tools/compiled-tool.ts';
import type { ToolSet } from '../../compile/tools/compile-tool-set.ts';
import type { ListedTool, PreparedAction } from '../../compile/tools/prepared-tool.ts';
import { callLocally } from '../../runtime/local-calls.ts';
import { createService, type McpService } from '../../runtime/service.ts';
import type { ScannedRequirement } from '../../scanner/requirements/scanned-requirements.ts';
import type { ScannedCallable } from '../../scanner/members/scanned-callable.ts';
import type { ScannedApplication } from '../../scanner/scan-application.ts';
import type { PlainObject } from '../../shared/json.ts';
import type { ServerInfo } from '../../engine/server-info.ts';
import type { Logger } from '../../call/logger.ts';
import type { CompiledApplication } from '../../compile/compile-application.ts';
import type { ContextFactory } from '../../runtime/tools/context-factory.ts';
import type { RegisteredTools } from '../../registry/tool-registry.ts';
import type { ApplicationContainer } from '../../container/application-container.ts';
import type { ApplicationSettings } from '../application-settings.ts';
import { createSurfaceHash, explainChecks } from '../describe-application.ts';
import { describeInside, drawGraph, sensitivePaths, type DescribedParts } from './describe-inside.ts';
import type { Explored, ExploredAction, ExploredOffer, ExploredTool } from './explored-types.ts';
import { SurfacePreviews } from './preview-surface.ts';

interface ExploredParts {
  readonly info: ServerInfo;
  readonly scanned: ScannedApplication;
  readonly settings: Pick<ApplicationSettings, 'scan' | 'surface'>;
  readonly compiled: CompiledApplication;
  readonly registry: RegisteredTools;
  readonly service: McpService;
  readonly container: Pick<ApplicationContainer, 'find' | 'get'>;
  readonly contextFactory: ContextFactory;
  readonly logger: Logger;
}

/** Describes an application for the explorer. */
export function exploreApplication(parts: ExploredParts): Explored {
  const { info, scanned, settings, compiled, registry, service, container } = parts;
  const checks = checkingService(parts);
  const surfaceHash = createSurfaceHash(service);
  const { authorization, auth } = service.settings;
  const described: DescribedParts = {
    names: new Map(scanned.providers.map(({ key, where }) => [key, where])),
    features: settings.scan.features,
  };
  const previews = new SurfacePreviews({ registry, service, option: settings.surface });
  const required = listCallables(parts).flatMap(({ requirements }) => requirements?.all ?? []);
  return {
    info,
    get surfaceHash() {
      return surfaceHash();
    },
    get asksCallers() {
      return auth !== undefined || authorization.isNeeded;
    },
    scopes: sorted([...authorization.scopes.known, ...required.flatMap(scopesIn)]),
    roles: sorted(required.flatMap((each) => (each.kind === 'roles' ? each.anyOf : []))),
    get issuer() {
      return auth?.issuer?.issuers?.[0];
    },
    graph: drawGraph(scanned),
    sensitiveOutputOf: (tool) => {
      const listed = registry.sets.flatMap(({ prepared }) => prepared.listed);
      const actions = listed
        .filter(({ definition }) => definition.name === tool)
        .flatMap(({ offered }) => offered);
      return actions.flatMap(({ scanned: { output } }) =>
        output === undefined ? [] : sensitivePaths(output),
      );
    },
    provided: (token) => {
      const key = container.find(token);
      return key === undefined ? undefined : container.get(key);
    },
    previewSurface: (query, authInfo) => previews.preview(query, authInfo),
    recognizeClient: (claim) => previews.recognize(claim),
    check: (tool, args, authInfo) =>
      callLocally(checks, tool, args, authInfo === undefined ? {} : { authInfo }, 'check'),
    offersTo: async (authInfo) => {
      const { verdicts } = await authorization.check({ authInfo, isLocal: false });
      const offers = offersOf(scanned, explainChecks(compiled), described);
      const known = knownTools(registry.sets);
      return {
        tools: (service.tools?.list(verdicts) ?? []).map((definition) =>
          toolOf(definition as CompiledToolDefinition, known.get(definition.name), described),
        ),
        prompts: (service.prompts?.fixed(verdicts).list ?? []).map((each) => offers(each.name, each)),
        resources: (service.resources?.fixed(verdicts).list ?? []).map((each) => offers(each.uri, each)),
        templates: (service.resources?.templates(verdicts) ?? []).map((each) =>
          offers(each.uriTemplate, each),
        ),
      };
    },
  };
}

/** Authorizes calls and checks their arguments as the service does. Nothing is charged, observed, asked or run. */
function checkingService({ registry, service, contextFactory, logger }: ExploredParts): McpService {
  const { stages } = service.settings;
  const { authorize } = stages.request;
  const parts = {
    tools: registry.toolsWith(contextFactory, true),
    prompts: undefined,
    resources: undefined,
    completions: undefined,
  };
  const request = { log: undefined, observe: undefined, audit: undefined, authorize, admit: undefined };
  const conversation = { state: undefined, limit: undefined, task: undefined, rounds: undefined };
  const checking = { ...service.settings, stages: { ...stages, request, conversation } };
  return createService(parts, checking, logger);
}

function listCallables({ scanned, registry }: ExploredParts): readonly ScannedCallable[] {
  const actions = registry.sets.flatMap(({ prepared }) => prepared.scanned.actions);
  return [...actions, ...scanned.prompts, ...scanned.resources];
}

function scopesIn(requirement: ScannedRequirement): readonly string[] {
  return requirement.kind === 'scopes' ? requirement.allOf.flat() : [];
}

function sorted(names: readonly string[]): readonly string[] {
  return [...new Set(names)].sort();
}

/** What a listed tool was made of. */
interface KnownTool {
  readonly set: ToolSet;
  readonly listed: ListedTool;
}

function knownTools(sets: readonly ToolSet[]): ReadonlyMap<string, KnownTool> {
  const all = sets.flatMap((set) => set.prepared.listed.map((listed) => ({ set, listed })));
  return new Map(all.map((known) => [known.listed.definition.name, known]));
}

function toolOf(
  definition: CompiledToolDefinition,
  known: KnownTool | undefined,
  described: DescribedParts,
): ExploredTool {
  const { set, listed: { discriminator, offered = [] } = {} } = known ?? {};
  const checks = definition.explain();
  const actions = definition.actions().map((action) => {
    const prepared = offered.find(
      ({ scanned }) => scanned.key === action.key && scanned.version === action.version,
    );
    const fixedArguments = discriminator === undefined ? {} : { [discriminator]: action.key };
    return actionOf(action, prepared, { fixedArguments, checks, described });
  });
  return {
    name: definition.name,
    definition: JSON.parse(JSON.stringify(definition)) as ExploredTool['definition'],
    ...(discriminator === undefined ? {} : { discriminator }),
    groups: set === undefined ? {} : Object.fromEntries(groupsOf(set, definition)),
    actions,
  };
}

/** What its groups say of themselves. */
function groupsOf(
  { prepared: { scanned } }: ToolSet,
  definition: CompiledToolDefinition,
): readonly (readonly [string, string])[] {
  const below = scanned.groups.map(({ path, description = '' }) => [path, description] as const);
  return [['', scanned.description ?? definition.title ?? ''], ...below];
}

function actionOf(
  action: ListedAction,
  prepared: PreparedAction | undefined,
  {
    fixedArguments,
    checks,
    described,
  }: {
    readonly fixedArguments: PlainObject;
    readonly checks: readonly ExplainedInput[];
    readonly described: DescribedParts;
  },
): ExploredAction {
  const { key, version, title, description, inputSchema, annotations, deprecated, confirm } = action;
  const explained = checks.filter(({ name }) => name === key).flatMap((each) => each.checks);
  const { scanned, output } = prepared ?? {};
  return {
    key,
    fixedArguments,
    inputSchema: inputSchema,
    ...given({ title, description, version, deprecated }),
    ...given({ outputSchema: output?.schema, task: scanned?.task }),
    ...(confirm === undefined || confirm === false ? {} : { confirm: String(confirm) }),
    isReadOnly: annotations.readOnlyHint === true,
    isDestructive: annotations.destructiveHint === true && annotations.readOnlyHint !== true,
    isIdempotent: annotations.idempotentHint === true,
    isOpenWorld: annotations.openWorldHint === true,
    tags: scanned?.tags ?? [],
    inside: {
      ...describeInside(scanned, explained, described, scanned?.groupCommon),
      sensitiveOutput: scanned?.output === undefined ? [] : sensitivePaths(scanned.output),
    },
  };
}

type Facts = Readonly<Record<string, unknown>>;

/** What has a value: a member that is undefined is left out. */
function given<Given extends Facts>(
  facts: Given,
): { [Name in keyof Given]: Exclude<Given[Name], undefined> } {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as never;
}

function offersOf(
  { prompts, resources }: ScannedApplication,
  explained: readonly ExplainedInput[],
  described: DescribedParts,
): (id: string, definition: object) => ExploredOffer {
  const known = new Map<string, (typeof prompts)[number] | (typeof resources)[number]>([
    ...prompts.map((prompt) => [prompt.name, prompt] as const),
    ...resources.map((resource) => {
      const { target } = resource;
      return [target.kind === 'fixed' ? target.uri : target.uriTemplate, resource] as const;
    }),
  ]);
  return (id, definition) => {
    const scanned = known.get(id);
    const checks = explained.find(({ kind, name }) => kind === scanned?.kind && name === scanned.name);
    return {
      id,
      definition: definition as ExploredOffer['definition'],
      completes: scanned?.completions.map(({ argument }) => argument) ?? [],
      inside: describeInside(scanned, checks?.checks ?? [], described),
    };
  };
}
