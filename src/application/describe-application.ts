import { createHash } from 'node:crypto';
import type { Logger } from '../call/logger.ts';
import { advise, listedTools, refusedTools } from './advice-rule.ts';
import { CLIENT_RULES, hiddenOutputs } from './client-advice.ts';
import type { CompiledApplication } from '../compile/compile-application.ts';
import type { ToolSet } from '../compile/tools/compile-tool-set.ts';
import { labelOf } from '../compile/tools/prepared-tool.ts';
import type {
  ActionDefinition,
  CompiledTool,
  CompiledToolDefinition,
  ExplainedInput,
  ToolDefinition,
} from '../compile/tools/compiled-tool.ts';
import type { CompiledHandler } from '../kernel/call/stage.ts';
import { findForms, formTools } from '../compile/surfaces/fit-surface.ts';
import type { SurfaceName, SurfaceSettings } from '../compile/surfaces/surface.ts';
import type { Problem } from '../errors/problem-list.ts';
import { formatFacts } from '../errors/toolwright-error.ts';
import type { ScannedApplication } from '../scanner/scan-application.ts';
import type { CompiledPrompt } from '../compile/primitives/compile-prompt.ts';
import type { CompiledResource } from '../compile/primitives/compile-resource.ts';
import type { ServiceParts } from '../runtime/routes/service-parts.ts';
import { everyResource, findRemoteServers } from '../runtime/feature-states.ts';
import type { ServiceSettings } from '../runtime/routes/route.ts';
import { sayRequirement } from '../runtime/requirements/caller.ts';
import type { McpService } from '../runtime/service.ts';
import { hashTools } from '../runtime/tools/surface-marks.ts';
import type { RegisteredTools } from '../registry/tool-registry.ts';
import type { ScannedUserRecord } from '../scanner/members/user-values.ts';
import { canonicalJson } from '../shared/canonical-json.ts';
import { deepFreeze } from '../shared/deep-freeze.ts';
import { summarizeTools } from '../shared/tool-summary.ts';
import type { ApplicationSettings } from './application-settings.ts';

/** Logs what is found at the start. Who only looks at the application is shown the warnings as advice. */
export function logFindings(
  settings: LoggedSettings,
  { scanned, compiled, shared }: FoundApplication,
  isLookedAt: boolean,
): void {
  if (!isLookedAt) logWarnings(scanned, compiled, settings.logger);
  const { tools, prompts, resources } = compiled;
  const offered = [tools, prompts, resources, everyResource(shared), findRemoteServers(shared)];
  if (offered.every((list) => list.length === 0)) {
    const fix = 'list classes in the `controllers` of its modules, or register builders in `app.registry`';
    const message = `${settings.name} has no tool, prompt or resource so far\n  fix: ${fix}`;
    settings.logger.log({ level: 'warning', event: 'application.empty', message });
  }
  logNotices(settings, compiled);
}

interface FoundApplication {
  readonly scanned: ScannedApplication;
  readonly compiled: CompiledApplication;
  readonly shared: Pick<ServiceSettings, 'features' | 'states'>;
}

interface LoggedSettings {
  readonly name: string;
  readonly logger: Logger;
  readonly surfaces: SurfaceSettings | undefined;
}

/** The warnings of scan and compile, each once; they do not keep the application from serving. */
function logWarnings(
  { warnings }: ScannedApplication,
  application: CompiledApplication,
  logger: Logger,
): void {
  for (const warning of warnings) {
    const message = formatFacts(warning.code, warning);
    logger.log({ level: 'warning', event: 'scan.warning', message, code: warning.code });
  }
  for (const warning of warningsOf(application)) {
    const message = formatFacts(warning.code, warning);
    logger.log({ level: 'warning', event: 'dto.warning', message, code: warning.code });
  }
}

/** What is good to know of an application before it serves. */
function logNotices({ logger, surfaces }: LoggedSettings, application: CompiledApplication): void {
  for (const notice of listingNotices(application.tools, surfaces)) {
    const message = formatFacts(notice.code, notice);
    logger.log({ level: 'notice', event: 'surface.notice', message, code: notice.code });
  }
  const tools = listedTools(application.tools);
  for (const { where, what } of tools.flatMap(hiddenOutputs))
    logger.log({ level: 'notice', event: 'schema.output-unpublished', message: `${where} ${what}` });
  for (const advice of advise(CLIENT_RULES, { refused: refusedTools(tools) })) {
    const message = formatFacts(advice.code, advice);
    logger.log({ level: 'notice', event: 'schema.client', message, code: advice.code });
  }
  for (const [label, handler] of handlersIn(application)) logLooseFields(label, handler, logger);
}

type Labelled = readonly [label: string, handler: CompiledHandler];

/** All that is called, each with the name by which messages speak of it. */
export function handlersIn({ tools, prompts, resources }: CompiledApplication): readonly Labelled[] {
  const actions = tools.flatMap((set) =>
    set.tools.flatMap((tool) =>
      listOffered(tool).map((action): Labelled => [`${tool.name}/${labelOf(action)}`, action]),
    ),
  );
  const others = [...prompts, ...resources].map((offer): Labelled => [offer.name, offer]);
  return [...actions, ...others];
}

/** Versions that are not listed, too; with flat exposition each is listed as a tool of its own. */
function listOffered({ actions, discriminator, versions }: CompiledTool): readonly ActionDefinition[] {
  if (versions === undefined || discriminator === undefined) return actions;
  return [...actions.filter(({ version }) => version === undefined), ...[...versions.values()].flat()];
}

/** What is found in inputs and outputs, each once: many actions may share a DTO. */
export function warningsOf(application: CompiledApplication): readonly Problem[] {
  const warnings = handlersIn(application).flatMap(([, handler]) => handler.warnings);
  return [...new Map(warnings.map((warning) => [formatFacts(warning.code, warning), warning])).values()];
}

/** What is good to know of how tools are listed, after the filter of the application. */
export function listingNotices(
  sets: readonly ToolSet[],
  surfaces: SurfaceSettings | undefined,
): readonly Problem[] {
  const surface = surfaces?.all.get(surfaces.use);
  if (surface !== undefined) return sets.flatMap((set) => set.on(surface).prepared.notices);
  const own = sets.flatMap(({ prepared }) => (prepared.filtered ?? prepared).notices);
  if (surfaces?.fitting === undefined) return own;
  const forms = findForms(formTools(sets), surfaces);
  const fitted = forms.flatMap((form) => sets.flatMap((set) => set.on(form).prepared.notices));
  return [
    ...new Map([...own, ...fitted].map((notice) => [formatFacts(notice.code, notice), notice])).values(),
  ];
}

/** What clients get of an application. */
export interface ServedSurface {
  /** SHA-256 over the list of its tools. */
  readonly hash: string;
  /** The names of its tools. */
  readonly tools: readonly string[];
  /** The ids of known clients that get it; who is not known gets `own`, or the surface of the application. */
  readonly clients: readonly string[];
  /**
   * Tools that belong to no group (`read_result`, `read_resource`, `get_prompt`), with the ids of the clients that are listed
   * them as well; `*` stands for all clients. They are not among `tools`, and not in `hash`.
   */
  readonly beside: Readonly<Record<string, readonly string[]>>;
}

/** What stands for all clients in place of their names. */
const ALL_CLIENTS: readonly string[] = Object.freeze(['*']);

export function describeSurfaces({
  registry,
  service: { settings },
}: {
  readonly registry: Pick<RegisteredTools, 'offered' | 'listed'>;
  readonly service: Pick<McpService, 'settings'>;
}): Readonly<Record<string, ServedSurface>> {
  const described = [...registry.offered].map(([surface, clients]) => {
    const listed = registry.listed(surface).map(({ definition }) => definition);
    const tools = Object.freeze(listed.map(({ name }) => name));
    const beside = findBeside(clients, surface !== undefined, settings);
    const served = { hash: hashTools(listed), tools, clients: Object.freeze([...clients]), beside };
    return [surface?.key ?? 'own', Object.freeze(served)] as const;
  });
  return Object.freeze(Object.fromEntries(described));
}

/** What `initialize` answers on a surface to a caller who may see everything. */
export function describeInstructions(
  {
    registry,
    settings,
  }: {
    readonly registry: Pick<RegisteredTools, 'listed' | 'surfaceNamed'>;
    readonly settings: Pick<ApplicationSettings, 'name' | 'title' | 'instructions'>;
  },
  surface: SurfaceName,
): string | undefined {
  const { name, title, instructions } = settings;
  if (instructions === false) return undefined;
  const listed = registry.listed(registry.surfaceNamed(surface)).map(({ definition }) => definition);
  return instructions ?? summarizeTools({ name, ...(title === undefined ? {} : { title }) }, listed);
}

function findBeside(
  clients: readonly string[],
  isOther: boolean,
  { featureTools, surfaces }: McpService['settings'],
): ServedSurface['beside'] {
  const forAll = new Set(featureTools?.listed(undefined, false).map(({ name }) => name));
  const found = new Map([...forAll].map((name) => [name, ALL_CLIENTS]));
  for (const [fit, ids] of surfaces?.fitting?.fits ?? []) {
    const own = ids.filter((id) => clients.includes(id));
    const tools = own.length === 0 ? [] : (featureTools?.listed(fit, isOther) ?? []);
    for (const { name } of tools)
      if (!forAll.has(name)) found.set(name, [...(found.get(name) ?? []), ...own].sort());
  }
  return deepFreeze(Object.fromEntries(found));
}

/** These fields have rules that a schema cannot express, so a schema-valid call may still be refused. */
function logLooseFields(label: string, { looseFields }: CompiledHandler, logger: Logger): void {
  for (const { field, reason } of looseFields) {
    logger.log({ level: 'notice', event: 'schema.loose', message: `${label}: ${field}: ${reason}`, field });
  }
}

/**
 * Creates a function that hashes the public surface, to compare two applications or two starts of one: SHA-256 over
 * the canonical JSON of all lists, without what templates and families list per request. The hash is recomputed only
 * when a list changes.
 */
export function createSurfaceHash({ tools, prompts, resources }: ServiceParts): () => string {
  let hashed: { readonly lists: readonly unknown[]; readonly hash: string } | undefined;
  return () => {
    const lists = {
      tools: tools?.list() ?? NOTHING,
      prompts: prompts?.fixed().list ?? NOTHING,
      resources: resources?.fixed().list ?? NOTHING,
      resourceTemplates: resources?.templates() ?? NOTHING,
    };
    const current = Object.values(lists);
    if (hashed?.lists.every((list, index) => list === current[index]) !== true) {
      hashed = { lists: current, hash: createHash('sha256').update(canonicalJson(lists)).digest('hex') };
    }
    return hashed.hash;
  };
}

/** One use of a decorator made by `createDecorator`. */
export interface DecoratorRecord<T> extends ScannedUserRecord {
  /** What the decorator was given. */
  readonly value: T;
}

/** What callers with the same verdicts see. */
export interface ExplainedView {
  /** The requirements that they meet, in words. */
  readonly met: readonly string[];
  /** Those that they do not. */
  readonly unmet: readonly string[];
  /** Each tool, with the actions that are listed: `tasks: list, create`. */
  readonly tools: readonly string[];
  /** The names of the prompts. */
  readonly prompts: readonly string[];
  /** The URIs of the resources. */
  readonly resources: readonly string[];
  /** The templates of URIs. */
  readonly templates: readonly string[];
}

/** Explains the views that are kept. */
export function explainViews({ settings, tools, prompts, resources }: McpService): readonly ExplainedView[] {
  const { authorization } = settings;
  const views = [undefined, ...authorization.kept];
  return Object.freeze(
    views.map((verdicts) => {
      const isMet = (index: number): boolean => verdicts === undefined || verdicts.bits[index] === '1';
      const said = authorization.listed.map(sayRequirement);
      return Object.freeze({
        met: said.filter((_, index) => isMet(index)),
        unmet: said.filter((_, index) => !isMet(index)),
        tools: (tools?.list(verdicts) ?? NOTHING).map(sayTool),
        prompts: (prompts?.fixed(verdicts).list ?? NOTHING).map(({ name }) => name),
        resources: (resources?.fixed(verdicts).list ?? NOTHING).map(({ uri }) => uri),
        templates: (resources?.templates(verdicts) ?? NOTHING).map(({ uriTemplate }) => uriTemplate),
      });
    }),
  );
}

function sayTool(definition: ToolDefinition): string {
  const { name, actions } = definition as CompiledToolDefinition;
  return `${name}: ${actions()
    .map(({ key }) => key)
    .join(', ')}`;
}

const NOTHING: readonly never[] = Object.freeze([]);

/** Lists how every input of an application is checked. */
export function explainChecks({ tools, prompts, resources }: CompiledApplication): readonly ExplainedInput[] {
  const explain = (
    kind: ExplainedInput['kind'],
    { name, explain: checksOf }: CompiledPrompt | CompiledResource,
  ): ExplainedInput => Object.freeze({ kind, tool: undefined, name, checks: checksOf() });
  return Object.freeze([
    ...tools.flatMap((set) => set.tools.flatMap((tool) => tool.definition.explain())),
    ...prompts.map((prompt) => explain('prompt', prompt)),
    ...resources.map((resource) => explain('resource', resource)),
  ]);
}
