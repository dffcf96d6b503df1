import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { IsString, MaxLength } from 'class-validator';
import { inspect } from 'node:util';
import { pino } from 'pino';
import {
  Action,
  Complete,
  Inject,
  Injectable,
  Logger,
  McpApplication,
  Module,
  pinoLogger,
  Policy,
  Prompt,
  ProtocolError,
  Resource,
  Sensitive,
  ToolError,
  ToolGroup,
  type CompletionContext,
  type LogRecord,
} from 'toolwright';
import { openTelemetry } from 'toolwright/opentelemetry';
import { createAppWithCallers, tokenOf, type AppWithCallers } from '../support/callers.ts';
import { MemoryLogger } from '../support/memory-logger.ts';
import { Observatory } from '../support/open-telemetry.ts';
import { JSON_HEADERS, message, send } from '../support/raw-http.ts';

const PIN = 'zq7-pin-4711-0815';
const GIVEN = 'zq8-output-4711-0815';
const KEY = 'sk-live-0123456789';

class Code {
  @IsString() @MaxLength(40) @Sensitive() code!: string;
}
class Coded extends Code {
  @IsString() how!: string;
}
class Vault {
  @IsString() name!: string;
  @IsString() @Sensitive() code!: string;
  @IsString() @Sensitive() pin!: string;
}
/** Of a library: nobody knows how it prints. */
class Foreign {
  constructor(readonly inner: unknown) {}
}

const no = (members: object): Error => Object.assign(new Error('no'), members);

/** Where errors of libraries have been seen to carry what they were given. */
const THROWN: Readonly<Record<string, (secret: string) => unknown>> = {
  'in errors of an error': (secret) => new AggregateError([new Error(secret), secret, { secret }], 'all'),
  'in a cause of a cause': (secret) => new Error('no', { cause: new Error('so', { cause: secret }) }),
  'in a member': (secret) => no({ config: { headers: [secret], data: JSON.stringify({ secret }) } }),
  'deep in an instance': (secret) => no({ response: new Foreign({ a: { b: { c: { d: { e: secret } } } } }) }),
  'under a symbol': (secret) => no({ a: { [Symbol('raw')]: { b: { c: { d: secret } } } } }),
  'under a symbol of an instance': (secret) =>
    no({ raw: new Foreign({ [Symbol('b')]: { c: { d: { secret } } } }) }),
  'in a map': (secret) => no({ seen: new Map([['a', new Set([secret])]]) }),
  'as a key': (secret) => no({ seen: { [secret]: 1 } }),
  'as a member of the error itself': (secret) => no({ [secret]: 1 }),
  'as its name': (secret) => no({ name: secret }),
  'behind a getter': (secret) =>
    Object.defineProperty(no({}), 'raw', { get: () => secret, enumerable: true }),
  'in a circle': (secret) => {
    const error = no({ secret });
    return Object.assign(error, { error, more: { error } });
  },
  'in a request': (secret) => no({ request: new Request('https://a.b', { headers: { secret } }) }),
  'in a URL': (secret) => new Error(`GET https://a.b/?code=${encodeURIComponent(secret)}`),
  'in something else than an error': (secret) => ({ message: secret, all: [secret] }),
  'as the code of a declared error': (secret) => new ToolError(secret, 'declared'),
  'in an error of the protocol': (secret) => new ProtocolError(-32001, secret, { secret }),
};

@Injectable()
class Books {
  constructor(@Inject(Logger) private readonly logger: Logger) {}

  note(text: string, members: object = {}): void {
    this.logger.log({ level: 'info', event: 'books:noted', message: text, ...members });
  }
}

@ToolGroup('vault')
class VaultTools {
  constructor(private readonly books: Books) {}

  @Action('Fails') fail({ how, code }: Coded): never {
    throw THROWN[how]?.(code);
  }
  @Action('Notes it') async note(input: Code): Promise<string> {
    await Promise.resolve();
    this.books.note('as it is', { input, all: [{ input }], held: new Foreign({ input }) });
    this.books.note(`as a text: ${input.code}`);
    return 'noted';
  }
  @Action('Is refused')
  @Policy((_caller, { code }) => {
    throw new Error(`refused ${String(code)}`);
  })
  refuse(_input: Code): string {
    return 'never';
  }
  @Action({ description: 'Gives', output: Vault }) give(_input: Code): Vault {
    return Object.assign(new Vault(), { name: 'first', code: GIVEN, pin: '123' });
  }
  @Prompt('Explains') explain(_input: Code): string {
    return 'Explained';
  }
  @Complete('explain', 'code') codes(value: string, { arguments: others }: CompletionContext): never {
    this.books.note(`completes ${value}`);
    throw new Error(`no ${value} ${JSON.stringify(others)}`);
  }
  @Resource('vault://codes/{code}') open(_input: Code): string {
    return 'opened';
  }
  @Resource('vault://all') all(): string {
    return 'all';
  }
}
@Module({ controllers: [VaultTools], providers: [Books] })
class VaultModule {}

const sky = new Observatory();
const reported: unknown[] = [];
const lines: string[] = [];
const pinoed = pinoLogger(pino({ level: 'trace' }, { write: (line: string) => lines.push(line) }));
let served: AppWithCallers;

beforeAll(async () => {
  const { tracerProvider, meterProvider } = sky;
  const attributes = { arguments: true, result: true, tenant: true, endUserKey: 'a key' };
  served = await createAppWithCallers(
    VaultModule,
    {},
    {
      telemetry: openTelemetry({ tracerProvider, meterProvider, attributes }),
      ...{ accessLog: true, maskErrors: true, redact: { secrets: [KEY] } },
      onError: (...given) => reported.push(given),
    },
  );
  const { logger } = served;
  const keep = logger.log.bind(logger);
  logger.log = (record) => {
    keep(record);
    pinoed(record);
  };
});
afterAll(async () => {
  await served.app.close();
  await sky.close();
});

const ADA = { sub: 'ada' };
const WHOLE = { depth: 20, maxStringLength: null, maxArrayLength: null, showHidden: true };

/** All that was said since the last time, as each reader of it sees it. */
async function said(): Promise<Readonly<Record<string, string>>> {
  const spans = sky
    .takeSpans()
    .map(({ name, attributes, events, status }) => ({ name, attributes, events, status }));
  return {
    records: inspect(served.logger.records.splice(0), WHOLE),
    lines: lines.splice(0).join(''),
    reports: inspect(reported.splice(0), WHOLE),
    spans: inspect(spans, WHOLE),
    metrics: inspect(await sky.metrics(), WHOLE),
  };
}

async function expectNowhere(secret: string, others: Readonly<Record<string, string>> = {}): Promise<string> {
  const all = { ...(await said()), ...others };
  const places = Object.entries(all).filter(([, text]) => text.includes(secret));
  expect(Object.fromEntries(places)).toEqual({});
  return Object.values(all).join('\n');
}

const call = (action: string, members: object = {}, caller: typeof ADA | undefined = ADA) =>
  served.ask(caller, 'tools/call', { name: 'vault', arguments: { action, code: PIN, ...members } });

test.each(Object.keys(THROWN))('a secret that is thrown %s is nowhere', async (how) => {
  const { body } = await call('fail', { how });
  expect(body).toContain('error');
  expect(await expectNowhere(PIN, { body })).toContain('request.served');
});

test('a policy that quotes its input is logged without it', async () => {
  await call('refuse');
  expect(await expectNowhere(PIN)).toContain('policy.failed');
});

describe('what classes log with the injected logger', () => {
  test('has none of the secrets of the call that runs, and says which call it is', async () => {
    await call('note');
    const noted = served.logger.records.filter(({ event }) => event === 'books:noted');
    const [access] = served.logger.records.filter(({ event }) => event === 'request.served');
    const { traceId, spanId, requestId, subject } = access as LogRecord;
    expect(traceId).toMatch(/^[0-9a-f]{32}$/);
    const which = { tool: 'vault', action: 'note', traceId, spanId, requestId, subject };
    expect(noted).toMatchObject([
      {
        ...which,
        input: { code: '[redacted]' },
        all: [{ input: { code: '[redacted]' } }],
        held: '[redacted]',
      },
      { ...which, message: 'as a text: [redacted]' },
    ]);
    await expectNowhere(PIN);
  });

  test('is about its own call, however many run', async () => {
    const codes = Array.from({ length: 20 }, (_, index) => `zq9-code-${String(index)}-end`);
    await Promise.all(codes.map((code) => call('note', { code })));
    const ids = served.logger.records.map(({ spanId }) => spanId);
    // Two records of a class, and one of the access log
    expect(new Set(ids).size).toBe(20);
    expect(ids).toHaveLength(60);
    await expectNowhere('zq9-code');
  });

  test('outside of calls, a DTO shows no sensitive field, even where nothing is registered', async () => {
    const logger = new MemoryLogger();
    const app = await McpApplication.create(VaultModule, { auth: false, logger });
    app.get(Books).note('late', { input: Object.assign(new Coded(), { code: '12', how: 'late' }) });
    await app.close();
    const noted = logger.records.filter(({ event }) => event === 'books:noted');
    expect(noted).toMatchObject([{ input: { code: '[redacted]', how: 'late' } }]);
    expect(noted[0]).not.toHaveProperty('tool');
  });
});

test('the sensitive members of a declared output are not in a span, however short', async () => {
  const { body } = await call('give');
  expect(body).toContain(GIVEN);
  const [span] = sky.takeSpans();
  expect(JSON.parse(String(span?.attributes['gen_ai.tool.call.result']))).toEqual({
    structuredContent: { name: 'first', code: '[redacted]', pin: '[redacted]' },
  });
  await expectNowhere(GIVEN);
});

test('what somebody completes in secret is not in the log, in the error or in a report', async () => {
  for (const [value, others] of [
    [PIN, {}],
    ['a', { code: PIN }],
  ] as const) {
    const { body } = await served.ask(ADA, 'completion/complete', {
      ref: { type: 'ref/prompt', name: 'explain' },
      argument: { name: 'code', value },
      context: { arguments: others },
    });
    expect(await expectNowhere(PIN, { body })).toContain('call.failed');
  }
});

test.each(['resources/read', 'resources/subscribe', 'resources/unsubscribe'])(
  'a URI that may have a sensitive variable in it is not in a span: %s',
  async (method) => {
    for (const uri of [`vault://codes/${PIN}`, `vault://code/${PIN}`, `vault://codes/${PIN}/more`]) {
      await served.ask2025(ADA, { jsonrpc: '2.0', id: 1, method, params: { uri } });
    }
    await expectNowhere(PIN);
    await served.ask2025(ADA, { jsonrpc: '2.0', id: 1, method, params: { uri: 'vault://all' } });
    const [span] = sky.takeSpans();
    expect(span?.attributes['mcp.resource.uri']).toBe('vault://all');
  },
);

test('ids and names that clients choose do not bring it back', async () => {
  const params = { name: 'vault', arguments: { action: 'fail', how: 'as a key', code: PIN } };
  await served.ask2025(ADA, { jsonrpc: '2.0', id: PIN, method: 'tools/call', params });
  await call(PIN);
  await served.ask(ADA, 'tools/call', { name: PIN, arguments: { code: PIN } });
  await served.ask(ADA, 'prompts/get', { name: PIN, arguments: { code: PIN } });
  await served.ask(ADA, PIN, { code: PIN });
  await expectNowhere(PIN);
});

test('a broken request, or one with wrong headers, is not quoted', async () => {
  const url = await served.url();
  const authorization = `Bearer ${tokenOf(ADA)}`;
  const headers = { ...JSON_HEADERS, 'mcp-protocol-version': '2025-11-25', authorization };
  const broken = [
    `{"code":"${PIN}`,
    PIN,
    `{"code":${PIN}}`,
    `[${PIN}]`,
    message('tools/call', { name: 'vault', arguments: PIN }),
  ];
  for (const body of broken) await send(url, { headers, body });
  for (const name of ['authorization', 'mcp-session-id', 'cookie', 'mcp-protocol-version', 'last-event-id'])
    await send(url, { headers: { ...headers, [name]: `Bearer ${PIN}` }, body: message('tools/list') });
  await expectNowhere(PIN.slice(0, 10));
});
