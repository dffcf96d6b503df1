import type { ErrorCode } from '../../errors/catalogue.ts';
import type { ProblemList } from '../../errors/problem-list.ts';
import { isClass, tokenName, type Token } from '../../shared/class-type.ts';
import { didYouMeanToken } from '../../shared/did-you-mean.ts';
import type { ModuleScope } from '../modules/module-scopes.ts';
import type { ModuleNode } from '../modules/scan-modules.ts';
import type { ProviderDraft } from './read-provider.ts';
import { reportCopies } from './user-container.ts';
import type { UserProviders } from './user-providers.ts';

/** The tokens that the modules of an application see, for looking them up. */
export interface TokenSpace {
  readonly modules: readonly ModuleNode[];
  readonly scopes: ReadonlyMap<ModuleNode, ModuleScope>;
  /** What the user's tsyringe container knows. */
  readonly user: UserProviders;
}

/** The requested token, and the module that requests it. */
interface TokenRequest {
  readonly token: Token;
  readonly home: ModuleNode;
  /** `TaskStore constructor #2`. */
  readonly where: string;
  readonly isOptional?: boolean;
  /** The token is the type of a parameter that may have been meant as an optional one. */
  readonly isTyped?: boolean | undefined;
  /** Replaces TW_SCAN_DEPENDENCY_UNKNOWN. */
  readonly unknownCode?: ErrorCode;
}

/** The provider of the token in the module; if there is none, the reason is reported. */
export function findProvider(
  request: TokenRequest,
  space: TokenSpace,
  problems: ProblemList,
): ProviderDraft | undefined {
  const scope = space.scopes.get(request.home);
  const rivals = scope?.ambiguous.get(request.token);
  if (rivals !== undefined) reportAmbiguous(request, rivals, problems);
  const draft = scope?.visible.get(request.token) ?? findOfUser(request.token, space);
  if (draft === undefined && request.isOptional !== true) reportMissing(request, space, problems);
  return draft;
}

/**
 * What tsyringe gives for a token that a module does not see. Of a class that is not registered it would make a new
 * instance: not where a module has one.
 */
export function findOfUser(token: Token, { user, ...space }: TokenSpace): ProviderDraft | undefined {
  const registered = user.findRegistered(token);
  if (registered !== undefined || findHome(token, space) !== undefined) return registered;
  return user.findInjectable(token);
}

/** The module that provides a token somewhere in the application, preferably one that exports it. */
export function findHome(token: Token, space: Omit<TokenSpace, 'user'>): ModuleNode | undefined {
  const homes = space.modules.filter((node) => ownDraft(node, token, space) !== undefined);
  return homes.find((node) => space.scopes.get(node)?.exported.has(token)) ?? homes[0];
}

/** Says precisely why a token cannot be injected in a module. */
export function reportMissing(request: TokenRequest, space: TokenSpace, problems: ProblemList): void {
  const giver = findHome(request.token, space);
  const copy = giver === undefined ? space.user.container?.findOtherCopy(request.token) : undefined;
  if (copy !== undefined) {
    const what = `needs ${tokenName(request.token)}, which another copy of tsyringe knows.`;
    reportCopies(what, copy, problems.at(request.where));
  } else if (giver === undefined) reportUnknown(request, space, problems);
  else reportHidden(request, giver, space, problems);
}

function ownDraft(
  node: ModuleNode,
  token: Token,
  space: Omit<TokenSpace, 'user'>,
): ProviderDraft | undefined {
  const draft = space.scopes.get(node)?.visible.get(token);
  return draft?.home === node ? draft : undefined;
}

function reportHidden(
  { token, home, where }: TokenRequest,
  giver: ModuleNode,
  space: TokenSpace,
  problems: ProblemList,
): void {
  const name = tokenName(token);
  const isExported = space.scopes.get(giver)?.exported.has(token) === true;
  const isImported = home.imports.includes(giver);
  const steps = [
    ...(isExported ? [] : [`@Module({ exports: [${name}] }) on ${giver.name}`]),
    ...(isImported ? [] : [`@Module({ imports: [${giver.name}] }) on ${home.name}`]),
  ];
  const verb = isExported ? 'exports' : 'provides but does not export';
  problems.at(where).add('TW_SCAN_DEPENDENCY_HIDDEN', {
    what: `needs ${name}, which ${giver.name} ${verb}${isImported ? '' : ` and ${home.name} does not import`}.`,
    fix: steps.join(', and '),
  });
}

function reportUnknown(request: TokenRequest, space: TokenSpace, problems: ProblemList): void {
  const { token, home, where } = request;
  const name = tokenName(token);
  const visible = [...(space.scopes.get(home)?.visible.keys() ?? [])];
  const isAsked = space.user.container !== undefined;
  const why = explainUnknown(token, visible) ?? (isAsked ? explainTsyringe(token) : undefined);
  const entry = isClass(token) ? name : `{ provide: ${name}, useValue: … }`;
  const provide = `add it to providers: @Module({ providers: [${entry}] }) on ${home.name}`;
  const optional = `@Inject(${name}, { optional: true }) where it may be missing`;
  problems.at(where).add(request.unknownCode ?? 'TW_SCAN_DEPENDENCY_UNKNOWN', {
    what: `needs ${name}, which no module provides.`,
    ...(why === undefined ? {} : { why }),
    fix:
      (isClass(token) ? undefined : didYouMeanToken(name, visible)) ??
      (request.isTyped === true ? `${provide}, or ${optional}` : provide),
  });
}

function explainTsyringe(token: Token): string {
  const isMissing = isClass(token)
    ? 'is not registered there, and no @injectable() on it is known'
    : 'is not registered there';
  return `your tsyringe container does not know it either: it ${isMissing}.`;
}

function explainUnknown(token: Token, visible: readonly Token[]): string | undefined {
  if (!isClass(token)) return undefined;
  if ((globalThis as Record<string, unknown>)[token.name] === token) {
    return `that is the global ${token.name}; a class of that name imported with \`import type\` leaves it behind.`;
  }
  return visible.some((other) => isClass(other) && other.name === token.name)
    ? `another class named ${token.name} is provided; two copies of a file or package make two classes.`
    : undefined;
}

function reportAmbiguous(request: TokenRequest, rivals: readonly string[], problems: ProblemList): void {
  const name = tokenName(request.token);
  problems.at(request.where).add('TW_SCAN_DEPENDENCY_AMBIGUOUS', {
    what: `needs ${name}, which ${rivals.join(' and ')} export with different meanings.`,
    fix: `stop exporting ${name} from one of them, or give it another token there`,
  });
}
