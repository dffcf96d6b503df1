import { IsInt, IsOptional, IsString } from 'class-validator';
import {
  Action,
  Idempotent,
  InMemoryStore,
  Injectable,
  Module,
  ToolContext,
  ToolError,
  ToolGroup,
  type ApplicationOptions,
  type AuthInfo,
  type CallToolResult,
  type Store,
  type StoreEntry,
  type StoreWrite,
  type StoreWritten,
} from 'toolwright';
import { createTestApplication, type TestApplication } from 'toolwright/testing';
import { MemoryLogger } from './memory-logger.ts';

class Payment {
  @IsInt() amount!: number;
  @IsOptional() @IsString() currency = 'EUR';
}

class Sure {
  @IsString() reason!: string;
}

/** What payments wait for, and what they have done. */
@Injectable()
export class Till {
  readonly effects: { readonly amount: number; readonly key?: string; readonly fence?: number }[] = [];
  /** Runs before the effect. */
  before: (ctx: ToolContext) => unknown = () => undefined;
  /** Runs after it, and gives the result. */
  after: (amount: number) => unknown = (amount) => `paid ${String(amount)}`;

  async pay({ amount }: { readonly amount: number }, ctx: ToolContext): Promise<unknown> {
    await this.before(ctx);
    this.effects.push({ amount, ...ctx.idempotency });
    return this.after(amount);
  }
}

@ToolGroup({ name: 'till', description: 'Takes payments' })
export class TillTools {
  constructor(private readonly till: Till) {}

  @Action('Pay')
  @Idempotent({ key: 'idempotencyKey' })
  pay(input: Payment, ctx: ToolContext): unknown {
    return this.till.pay(input, ctx);
  }
  @Action('Pay, by the arguments')
  @Idempotent({ key: 'arguments', ttl: 60_000 })
  same(input: Payment, ctx: ToolContext): unknown {
    return this.till.pay(input, ctx);
  }
  @Action('Pay, and again if in doubt')
  @Idempotent({ key: 'idempotencyKey', onUnknown: 'rerun' })
  rerun(input: Payment, ctx: ToolContext): unknown {
    return this.till.pay(input, ctx);
  }
  @Action('Pay after a question')
  @Idempotent({ key: 'idempotencyKey' })
  async asking(input: Payment, ctx: ToolContext): Promise<unknown> {
    const { action } = await ctx.ask(Sure, 'Sure?');
    if (action !== 'accept') throw new ToolError('REFUSED', 'Not sure');
    return this.till.pay(input, ctx);
  }
}

@Module({ controllers: [TillTools], providers: [Till] })
export class TillModule {}

/** A store that fails when a test says so. */
export class FailingStore implements Store {
  readonly inner: Store;
  failing = new Set<'get' | 'claim' | 'replace'>();

  constructor(inner: Store = new InMemoryStore()) {
    this.inner = inner;
  }
  async get(...given: Parameters<Store['get']>): Promise<StoreEntry | undefined> {
    return this.#ask('get', () => this.inner.get(...given));
  }
  async put(...given: Parameters<Store['put']>): Promise<StoreWritten> {
    return this.#ask(isClaim(given[2]) ? 'claim' : 'replace', () => this.inner.put(...given));
  }
  async delete(...given: Parameters<Store['delete']>): Promise<boolean> {
    return this.inner.delete(...given);
  }
  async #ask<T>(operation: 'get' | 'claim' | 'replace', ask: () => Promise<T>): Promise<T> {
    if (this.failing.has(operation)) throw new Error(`${operation} is down`);
    return ask();
  }
}

/** Whether it takes a call, or takes it back: what renews a lease keeps the number. */
export function isClaim({ hold = 0, renumber }: StoreWrite): boolean {
  return hold > 0 && renumber !== false;
}

/** A call of the tool of {@link TillModule}. */
type Call = (action: string, args: object, authInfo?: AuthInfo) => Promise<CallToolResult>;

/** An application with the {@link TillModule}, and short ways to call it. */
export interface OpenTill {
  readonly app: TestApplication;
  readonly till: Till;
  readonly logger: MemoryLogger;
  readonly call: Call;
  /** Calls the action `pay`. */
  pay(key: string, amount?: number, authInfo?: AuthInfo): Promise<CallToolResult>;
}

export async function openTill(store?: Store, options: ApplicationOptions = {}): Promise<OpenTill> {
  const logger = new MemoryLogger();
  const given = store === undefined ? {} : { backplane: { store } };
  const app = await createTestApplication(TillModule, { logger, ...given, ...options });
  const call: Call = (action, args, authInfo) =>
    app.call('till', { action, ...args }, authInfo === undefined ? {} : { authInfo });
  const pay: OpenTill['pay'] = (key, amount = 5, authInfo) =>
    call('pay', { amount, idempotencyKey: key }, authInfo);
  return { app, till: app.get(Till), call, pay, logger };
}

/** What `_meta` says of a failure. */
export function errorFacts({ _meta: meta }: CallToolResult): Readonly<Record<string, unknown>> | undefined {
  return meta?.['toolwright/error'] as Readonly<Record<string, unknown>> | undefined;
}

export function codeOf(result: CallToolResult): unknown {
  return errorFacts(result)?.['code'];
}

/** What `_meta` says of a result that was stored. */
export function replayOf({ _meta: meta }: CallToolResult): unknown {
  return meta?.['toolwright/idempotency'];
}

/** A promise, and what resolves it. */
export function gate(): { readonly passed: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => (open = resolve));
  return { passed, open: () => open() };
}
