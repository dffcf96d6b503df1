import type { AuthInfo } from '../../call/request-context.ts';
import {
  settleSurface,
  SURFACE_NAMES,
  type ClientClaim,
  type FittingSurface,
  type SurfaceName,
} from '../../compile/surfaces/surface.ts';
import { formTools } from '../../compile/surfaces/fit-surface.ts';
import { GENERIC } from '../../profiles/clients.ts';
import { fitResults } from '../../profiles/fit-results.ts';
import { loadProfiles, type ClientProfiles, type Profile } from '../../profiles/profiles.ts';
import type { RegisteredTools } from '../../registry/tool-registry.ts';
import { withTitle } from '../../runtime/lists/lists.ts';
import type { McpService } from '../../runtime/service.ts';
import { membersOf } from '../../shared/json.ts';
import type { JsonObject, PreviewedResults, SurfacePreview, SurfaceQuery } from './explored-types.ts';

interface PreviewedParts {
  readonly registry: RegisteredTools;
  readonly service: McpService;
  /** The option `surface` of the application. */
  readonly option: unknown;
}

/** A surface that was chosen, or else what a client says of itself, with what fits it. */
interface ListedFor {
  readonly chosen?: SurfaceName;
  readonly claim?: ClientClaim;
  readonly fit?: FittingSurface | undefined;
}

/** Shows what clients of an application are listed, without a client. */
export class SurfacePreviews {
  readonly #parts: PreviewedParts;
  #profiles: Promise<ClientProfiles> | undefined;

  constructor(parts: PreviewedParts) {
    this.#parts = parts;
  }

  /** The id of the client that says this of itself; `generic` where it is not known. */
  async recognize({ name, version, userAgent }: ClientClaim): Promise<string> {
    const profiles = await this.#loadProfiles();
    const { id } =
      name === undefined ? profiles.profileOfUserAgent(userAgent) : profiles.profileOf(name, version);
    return id;
  }

  /** @returns undefined for a surface or a client that is not known */
  async preview(query: SurfaceQuery, authInfo: AuthInfo | undefined): Promise<SurfacePreview | undefined> {
    const profiles = await this.#loadProfiles();
    const clients = listClients(profiles);
    const choices = { surfaces: SURFACE_NAMES, clients };
    if (query.surface !== undefined) {
      const chosen = SURFACE_NAMES.find((name) => name === query.surface);
      if (chosen === undefined) return undefined;
      return { ...(await this.#list({ chosen }, authInfo)), why: this.#whyChosen(chosen), ...choices };
    }
    const { client: id = GENERIC } = query;
    const profile = profiles.byId(id);
    if (profile === undefined || !clients.some((each) => each.id === id)) return undefined;
    const claim = claimFor(profiles, id);
    const fit = this.#surfaces?.fitting?.find(claim);
    const listed = await this.#list({ claim, fit }, authInfo);
    const isFitted = fit !== undefined && listed.surface !== 'own';
    const results = describeResults(profile, isFitted);
    return { ...listed, why: this.#whyGiven(profile, fit), results, ...choices };
  }

  get #surfaces(): RegisteredTools['settings']['surfaces'] {
    return this.#parts.registry.settings.surfaces;
  }

  #loadProfiles(): Promise<ClientProfiles> {
    this.#profiles ??= loadProfiles(membersOf(this.#parts.option)['profiles']);
    return this.#profiles;
  }

  async #list(
    { chosen, claim = {}, fit }: ListedFor,
    authInfo: AuthInfo | undefined,
  ): Promise<Pick<SurfacePreview, 'surface' | 'tools' | 'beside' | 'ignoresCaller'>> {
    const { registry, service } = this.#parts;
    const { authorization, featureTools } = service.settings;
    const surface = chosen === undefined ? registry.surfaceFor(fit) : registry.surfaceNamed(chosen);
    // Without the option `surface` no client gets another one: nothing makes views of it for callers
    const isServed = surface === undefined || this.#surfaces !== undefined;
    const tools = isServed
      ? await service.tools?.listTo(authInfo, false, { chosen, client: () => claim })
      : registry.listed(surface).map(({ definition }) => definition);
    const { verdicts } = await authorization.check({ authInfo, isLocal: false });
    const beside = featureTools?.listed(fit, fit !== undefined && surface !== undefined, verdicts);
    return {
      surface: surface?.key ?? 'own',
      tools: writeTools(tools),
      beside: writeTools(beside),
      ignoresCaller: !isServed && authorization.isNeeded,
    };
  }

  #whyChosen(name: SurfaceName): string {
    const surfaces = this.#surfaces;
    if (surfaces === undefined)
      return name === 'own'
        ? 'All clients get it: the application sets no option "surface".'
        : 'No client gets it: the application sets no option "surface".';
    if (surfaces.fitting === undefined && surfaces.use === name)
      return 'All clients get it who choose no other one.';
    const ways = [...surfaces.choose];
    return ways.length === 0
      ? 'No client can choose it (surface.choose is false).'
      : `A client gets it that chooses it: by ${ways.join(', ')}.`;
  }

  #whyGiven({ id, title, choices }: Profile, fit: FittingSurface | undefined): string {
    const surfaces = this.#surfaces;
    if (surfaces === undefined) return 'All clients get it: the application sets no option "surface".';
    if (fit === undefined) return `All clients get it who choose no other one: surface is "${surfaces.use}".`;
    if (id === GENERIC) return 'A client that is not known gets what the groups say.';
    const settled = settleSurface(fit, {
      actions: this.#tools.actions,
      countTokens: (name) => this.#tools.countTokens(surfaces.all.get(name)),
    });
    if (settled === 'progressive' && fit.name !== 'progressive')
      return `The definitions have more than ${String(fit.progressiveOver)} tokens, and ${title} loads all of them at once.`;
    if (settled !== fit.name)
      return `The application has ${String(this.#tools.actions)} actions, and ${title} is listed up to ${String(fit.flatUpTo)} of them flat.`;
    return fit.name === choices.surface
      ? `It is the surface that was chosen for ${title}.`
      : `The application says so for ${title}, with the option "surface.clients".`;
  }

  get #tools(): ReturnType<typeof formTools> {
    return formTools(this.#parts.registry.sets);
  }
}

/** Writes definitions as `tools/list` sends them. */
function writeTools(definitions: readonly object[] = []): readonly JsonObject[] {
  return JSON.parse(JSON.stringify(definitions.map(withTitle))) as JsonObject[];
}

/** Lists the clients that say who they are, and the one that stands for all others. */
function listClients({ ids, clients }: ClientProfiles): SurfacePreview['clients'] {
  return ids.flatMap((id) => {
    const { title = id, kind, match = [], userAgent = [] } = clients[id] ?? {};
    const isKnown = kind !== 'directory' && (match.length > 0 || userAgent.length > 0);
    return isKnown || id === GENERIC ? [{ id, title }] : [];
  });
}

/** What a client with this id says of itself. */
function claimFor({ clients }: ClientProfiles, id: string): ClientClaim {
  const { match: [name] = [], userAgent: [userAgent] = [] } = clients[id] ?? {};
  return name === undefined ? { userAgent } : { name: name.replace(/\*$/, '') };
}

function describeResults(profile: Profile, isFitted: boolean): PreviewedResults {
  const { isKnown, isStructured, isText, reads, tokens, characters, errorCharacters, dropped } =
    fitResults(profile);
  return {
    isKnown,
    form: isStructured ? 'structure' : isText && isFitted ? 'text' : 'both',
    reads,
    ...(tokens === Infinity ? {} : { tokens }),
    ...(characters === Infinity ? {} : { characters }),
    ...(errorCharacters === Infinity ? {} : { errorCharacters }),
    dropped: [...dropped],
  };
}
