import { ToolwrightError } from '../../errors/toolwright-error.ts';
import type { DoorRequest, HttpDoor } from '../../call/http-door.ts';
import { observeStore } from '../../kernel/call/telemetry.ts';
import { checkClients } from './check-clients.ts';
import {
  signInOptions,
  type SignIn,
  type SignInOptions,
  type SignInPlace,
  type SignIns,
  type SignInServer,
  type SignInTarget,
} from './options.ts';
import { OwnTokens } from './own-tokens.ts';
import type { SignInStep } from './step.ts';
import type { ResourceServer } from '../../runtime/auth/resource-server.ts';
import type { StateSource } from '../../runtime/runtime-facet.ts';
import { InMemoryStore } from '../../runtime/store/memory-store.ts';
import type { Store } from '../../runtime/store/store.ts';
import type { ScannedApplication } from '../../scanner/scan-application.ts';
import type { ScannedCallable } from '../../scanner/members/scanned-callable.ts';
import { isWrittenAsLoopback } from '../../shared/loopback.ts';

/** The collection of the store. */
export const SIGN_INS = 'signIns';

/** The authorization server of an application, from its start on. */
export class SignInState implements HttpDoor, SignIns {
  /** Registrations, forms and grants are far smaller. */
  readonly maxBodyBytes = 16 * 1024;
  readonly store: Store;
  readonly #source: StateSource;
  readonly #resourceServer: ResourceServer;
  readonly #options: SignInOptions;
  #server: SignInServer | undefined;

  constructor(source: StateSource, resourceServer: ResourceServer, options: SignInOptions) {
    this.#source = source;
    this.#resourceServer = resourceServer;
    this.#options = options;
    const { ports, telemetry } = source;
    this.store =
      ports.store === undefined ? new InMemoryStore() : observeStore(ports.store, SIGN_INS, telemetry);
  }

  /** Undefined without the option. */
  static of(source: StateSource): SignInState | undefined {
    const { auth, resourceServer } = source.options;
    if (auth === undefined || auth === false || auth.signIn === undefined) return undefined;
    return resourceServer && new SignInState(source, resourceServer, signInOptions(auth.signIn));
  }

  /** @throws ToolwrightError where people could not sign in */
  async start(): Promise<void> {
    const { auth } = this.#source.options;
    const { secrets } = this.#source;
    const resource = auth === false ? undefined : auth?.resource;
    if (secrets === undefined && resource !== undefined && !isWrittenAsLoopback(resource))
      throw withoutSecrets();
    checkClients(this.#options);
    this.#server = await this.#options.provider.open(this.#place());
    const { issuer } = this.#resourceServer;
    if (issuer instanceof OwnTokens) issuer.server = this.#server;
  }

  get server(): SignInServer | undefined {
    return this.#server;
  }

  serves(path: string, isEndpoint: (path: string) => boolean): boolean {
    return this.#server?.serves(path, isEndpoint) === true;
  }

  answer(request: DoorRequest): Promise<Response> {
    return this.#started.answer(request);
  }

  list(person: { readonly sub: string; readonly tenant?: string | undefined }): Promise<readonly SignIn[]> {
    return this.#started.list(person);
  }

  end(target: SignInTarget): Promise<number> {
    return this.#started.end(target);
  }

  get #started(): SignInServer {
    if (this.#server === undefined) throw new Error('The application has not started');
    return this.#server;
  }

  /** Clients are no attributes: anybody may be one. */
  #tell(step: SignInStep): void {
    const { outcome, provider, registration } = step;
    this.#source.telemetry?.add('toolwright.sign_in.steps', 1, {
      outcome,
      ...(provider !== undefined && { provider }),
      ...(registration !== undefined && { registration }),
    });
    this.#source.tell('sign-in', step);
  }

  #place(): SignInPlace {
    const { server, secrets, logger, scanned, options } = this.#source;
    const { auth, title = server } = options;
    const { scopesSupported, rootMetadata = true } = auth === false || auth === undefined ? {} : auth;
    const { all, safe } = listScopes(scanned);
    return {
      ...{ options: this.#options, title, server, secrets, logger, store: this.store, rootMetadata },
      resource: () => this.#resourceServer.resource,
      tell: (step) => {
        this.#tell(step);
      },
      scopes: all,
      defaultScopes: this.#options.defaultScopes ?? scopesSupported ?? safe,
    };
  }
}

function withoutSecrets(): ToolwrightError {
  return new ToolwrightError('TW_APPLICATION_OPTION', {
    where: 'McpApplication.create(), option auth.signIn',
    what: 'has no `secrets` beside it.',
    why: 'the keys of its tokens are made of them: without any, each start would sign everybody out.',
    fix: "secrets: [process.env['SECRET']], the same for all instances",
  });
}

/** Where no action names a scope. */
const ONLY = 'mcp';

/** The scopes that the actions of an application name: all of them, and those of what destroys nothing. */
function listScopes(scanned: ScannedApplication | undefined): {
  readonly all: readonly string[];
  readonly safe: readonly string[];
} {
  const { tools = [], prompts = [], resources = [] } = scanned ?? {};
  const actions = tools.flatMap((tool) => tool.actions);
  const harmless = actions.filter(({ isDestructive }) => !isDestructive);
  const all = namesIn([...actions, ...prompts, ...resources]);
  if (all.length === 0) return { all: [ONLY], safe: [ONLY] };
  const safe = namesIn([...harmless, ...prompts, ...resources]);
  return { all, safe: safe.length === 0 ? all : safe };
}

function namesIn(callables: readonly ScannedCallable[]): readonly string[] {
  const names = callables.flatMap(({ requirements }) =>
    (requirements?.all ?? []).flatMap((each) => (each.kind === 'scopes' ? each.allOf.flat() : [])),
  );
  return [...new Set(names)].sort();
}
