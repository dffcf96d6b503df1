import { refuseOptions } from '../errors/option-errors.ts';
import { AuthenticationError, type AuthInfo, type ProtectedResource, type TokenVerifier } from '../index.ts';
import { isClass } from '../shared/class-type.ts';
import { isObject } from '../shared/json.ts';
import { aFunction, required, texts, type OptionRules } from '../shared/option-rules.ts';
import { warn } from '../operations/api-options.ts';
import { partsOfNest, type NestApplication } from './nest-application.ts';

/** A caller, as a guard of the application has found it. */
export interface NestCaller {
  /** Who it is, as the application names people. */
  readonly sub: string;
  /** What the token was issued for. One that does not name this endpoint is refused. Default: a warning. */
  readonly audience?: string | readonly string[] | undefined;
  /** What it may do. Default: none. */
  readonly roles?: readonly string[] | undefined;
  /** What its token permits. Default: none. */
  readonly scopes?: readonly string[] | undefined;
  /** Its tenant. Default: none. */
  readonly tenant?: string | undefined;
  /** The program that it calls with. Default `nest`. */
  readonly clientId?: string | undefined;
  /** When its token ends, in seconds since the epoch. Default: the guard knows. */
  readonly expiresAt?: number | undefined;
}

/** Options of {@link nestGuard}. */
export interface NestGuardOptions {
  /** Who calls, by what the guard wrote to `request.user`. */
  readonly caller: (user: never) => NestCaller;
  /** The issuers of the tokens, where clients sign in. Default: none. */
  readonly issuers?: readonly string[];
}

const RULES: OptionRules<NestGuardOptions> = { caller: required(aFunction), issuers: texts };

interface Guard {
  canActivate(context: object): unknown;
}

/**
 * Lets a guard of the application decide who may come to the endpoint: once for each request, before anything else. What it
 * refuses is a 401, so that clients sign in.
 *
 * @param guard a class that the application has as a provider or at a controller, or an instance
 * @example
 * import { NestFactory } from '@nestjs/core';
 * import { exposeNest, nestGuard } from 'toolwright/nest';
 *
 * declare class JwtAuthGuard { canActivate(context: object): boolean }
 *
 * const nest = await NestFactory.create(AppModule);
 * const caller = (user: { sub: string; aud: string[] }) => ({ sub: user.sub, audience: user.aud });
 * const verify = nestGuard(nest, JwtAuthGuard, { caller });
 * await exposeNest(nest, { auth: { resource: 'https://shop.example/mcp', verify } });
 */
export function nestGuard(nest: NestApplication, guard: object, options: NestGuardOptions): TokenVerifier {
  refuseOptions('TW_APPLICATION_OPTION', 'nestGuard()', options, RULES);
  partsOfNest(nest, 'nestGuard()');
  const asked = (isClass(guard) ? nest.get(guard as never, { strict: false } as never) : guard) as Guard;
  const { caller, issuers = [] } = options;
  let isWarned = false;
  return {
    issuers,
    verify: async (token, server) => {
      const request = { ...REQUEST, headers: { authorization: `Bearer ${token}` } };
      if (!(await isAdmitted(asked, request))) return undefined;
      const { user } = request as { readonly user?: unknown };
      // A guard that lets everybody pass has found nobody
      if (user === undefined || user === null) return undefined;
      const found = caller(user as never);
      if (found.audience === undefined && !isWarned) {
        isWarned = true;
        warn(server.logger, unknownAudience(server));
      }
      return isForUs(found, server) ? authInfo(token, found, issuers) : undefined;
    },
  };
}

/** What a guard may ask of a request. Nothing of the MCP request is in it but the token. */
const REQUEST = Object.freeze({ method: 'POST', url: '/', query: {}, params: {}, body: undefined });

class McpEndpoint {
  receive(): void {}
}

async function isAdmitted(guard: Guard, request: object): Promise<boolean> {
  try {
    return (await lastValue(guard.canActivate(contextFor(request)))) === true;
  } catch (thrown) {
    const { getStatus } = thrown as { readonly getStatus?: () => unknown };
    const status = typeof getStatus === 'function' ? getStatus.call(thrown) : undefined;
    if (status === 401 || status === 403) return false;
    // What failed has refused nobody: a client keeps its token, and tries again
    throw status === undefined ? thrown : new AuthenticationError(503);
  }
}

/** The members of Nest's ExecutionContext. */
function contextFor(request: object): object {
  const response = Object.freeze({
    setHeader: () => undefined,
    header: () => undefined,
    getHeader: () => undefined,
  });
  const parts = [request, response, () => undefined];
  const http = { getRequest: () => request, getResponse: () => response, getNext: () => parts[2] };
  return {
    getType: () => 'http',
    getClass: () => McpEndpoint,
    // oxlint-disable-next-line typescript/unbound-method -- it is a key of metadata, and never called
    getHandler: () => McpEndpoint.prototype.receive,
    getArgs: () => parts,
    getArgByIndex: (index: number) => parts[index],
    switchToHttp: () => http,
  };
}

interface Observed {
  subscribe(observer: { next(value: unknown): void; error(cause: unknown): void; complete(): void }): unknown;
}

/** Guards give a value, a promise, or an Observable, of which Nest takes the last value. */
function lastValue(given: unknown): unknown {
  if (!isObject(given) || typeof given['subscribe'] !== 'function') return given;
  return new Promise((resolve, reject) => {
    let last: unknown;
    (given as unknown as Observed).subscribe({
      next: (value) => (last = value),
      error: reject,
      complete: () => {
        resolve(last);
      },
    });
  });
}

function isForUs({ audience }: NestCaller, server: ProtectedResource): boolean {
  return audience === undefined || [audience].flat().some((each) => server.isNamedBy(each));
}

function authInfo(
  token: string,
  { sub, roles, scopes = [], tenant, clientId = 'nest', expiresAt }: NestCaller,
  issuers: readonly string[],
): AuthInfo {
  const extra = { sub, issuer: issuers[0], roles, tenant };
  return {
    token,
    clientId,
    scopes,
    ...(expiresAt === undefined ? {} : { expiresAt }),
    extra: Object.fromEntries(Object.entries(extra).filter(([, value]) => value !== undefined)),
  };
}

function unknownAudience({ resource }: ProtectedResource) {
  return {
    code: 'TW_NEST_AUDIENCE' as const,
    where: 'nestGuard()',
    what: 'accepts tokens of which nothing says what they were issued for.',
    why: 'MCP forbids taking a token that was issued for another server.',
    fix: `caller: (user) => ({ sub: user.sub, audience: user.aud }), where tokens name ${resource}`,
  };
}
