import { once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { expect, jest, test, describe } from '@jest/globals';
import fc from 'fast-check';
import { pino } from 'pino';
import { consoleLogger, McpApplication, Module, pinoLogger, winstonLogger, type LogLevel } from 'toolwright';
import { config, createLogger, format, transports } from 'winston';
import type { LogEvent } from '../../src/call/log-events.ts';
import { SafeLogger, DedupingLogger, type Logger } from '../../src/call/logger.ts';
import { StderrLogger } from '../../src/call/stderr-logger.ts';
import { MemoryLogger } from '../support/fake-application.ts';

const fail = (): never => {
  throw new Error('a getter');
};

test.each([
  ['an error whose getters throw', Object.defineProperty(new Error('x'), 'name', { get: fail })],
  ['a revoked proxy', revoked()],
])('what cannot be shown disturbs nobody: %s', (_name, cause) => {
  const written: string[] = [];
  const write = jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  try {
    new SafeLogger(new StderrLogger({ form: 'text' })).log({
      level: 'error',
      event: 'call.failed',
      message: 'It broke',
      cause,
    });
  } finally {
    write.mockRestore();
  }
  expect(written).toEqual([expect.stringMatching(/^error call\.failed: It broke cause=/)]);
});

describe('the default log', () => {
  const written: string[] = [];
  const logger = new SafeLogger(new StderrLogger({ form: 'text' }));
  const linesOf = (record: Parameters<SafeLogger['log']>[0], by: Logger = logger): readonly string[] => {
    const write = jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
      written.push(String(text));
      return true;
    });
    try {
      by.log(record);
    } finally {
      write.mockRestore();
    }
    return written.splice(0).join('').split('\n');
  };

  const piece = fc.constantFrom(...['\n', '\r', '\r\n', '\t', '\u001b[2J', '\u0007', '\u0085', '\u009d']);
  const turning = fc.constantFrom('\u2028', '\u2029', '\u202e', '\u2066', '\u061c', '\u0000', '\u007f');
  const forged = fc.constantFrom('error auth.ok: root signed in', ' tool=admin', '  ', '"', 'ü');
  const text = fc
    .array(fc.oneof(piece, turning, forged, fc.string()), { maxLength: 6 })
    .map((parts) => parts.join(''));
  const error = text.map((message) => Object.assign(new Error(message), { code: message }));
  const value = fc.oneof(
    text,
    error,
    fc.record({ input: text }),
    fc.array(text, { maxLength: 3 }),
    fc.integer(),
  );
  const NAMES = ['requestId', 'tenant', 'tool', 'error', 'cause', 'reference'] as const;
  const members = fc.dictionary(fc.oneof(fc.constantFrom(...NAMES), text), value, { maxKeys: 4 });
  const raw = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

  test.each([
    ['it', logger],
    ['a logger that throws', new SafeLogger(() => fail())],
  ])('has no line that a client began, and no control character, whatever texts it gets: %s', (_name, by) => {
    fc.assert(
      fc.property(text, text, members, (message, event, given) => {
        const record = { ...given, level: 'error', event: `test:${event}`, message } as const;
        const [first = '', ...further] = linesOf(record, by);
        expect(further.pop()).toBe('');
        expect(first).toMatch(/^error (?:test|logger\.failed):/);
        expect(further.filter((line) => !line.startsWith('  '))).toEqual([]);
        expect([first, ...further].filter((line) => raw.test(line))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  test('is JSON outside a terminal: one object a line, with the time and the process', () => {
    const byDefault = new SafeLogger(new StderrLogger());
    const read = (record: Parameters<SafeLogger['log']>[0]): Record<string, unknown> => {
      const [line = '', ...further] = linesOf(record, byDefault);
      expect(further).toEqual(['']);
      expect(raw.test(line)).toBe(false);
      return JSON.parse(line) as Record<string, unknown>;
    };
    const { time, instance, ...others } = read({
      level: 'error',
      event: 'test:failed',
      message: 'It failed',
      size: 5n,
    });
    expect(new Date(String(time)).toISOString()).toBe(time);
    expect(instance).toMatch(/^.+:\d+$/);
    expect(others).toEqual({ level: 'error', event: 'test:failed', message: 'It failed', size: '5' });
    const cause = Object.assign(new Error('refused\nby Redis'), { code: 'ECONNREFUSED' });
    const failed = read({
      level: 'error',
      event: 'call.failed',
      message: 'x',
      error: new Error('broken', { cause }),
    });
    expect(failed['error']).toMatchObject({
      message: 'broken',
      stack: expect.stringContaining('broken'),
      cause: { message: 'refused\nby Redis', code: 'ECONNREFUSED' },
    });
    const round: Record<string, unknown> = {};
    round['self'] = round;
    const [cyclic = ''] = linesOf(
      { level: 'error', event: 'call.failed', message: 'x', round },
      new StderrLogger(),
    );
    expect(JSON.parse(cyclic)).toMatchObject({
      event: 'call.failed',
      record: expect.stringContaining('[Circular'),
    });
    fc.assert(
      fc.property(text, members, (message, given) => {
        const record = { ...given, level: 'error', event: 'test:failed', message } as const;
        expect(read(record)).toMatchObject({ level: 'error', event: 'test:failed', instance });
      }),
      { numRuns: 30 },
    );
  });

  test('has the levels and the form that it is given', () => {
    const levels: readonly LogLevel[] = ['debug', 'info', 'notice', 'warning', 'emergency'];
    const written = (by: StderrLogger): readonly string[] =>
      levels.filter((level) => linesOf({ level, event: 'test:done', message: 'x' }, by).length > 1);
    expect(written(new StderrLogger())).toEqual(['warning', 'emergency']);
    const notices = new StderrLogger({ level: 'notice', form: 'json', instance: 'worker-1' });
    expect(written(notices)).toEqual(['notice', 'warning', 'emergency']);
    const served = { level: 'info', event: 'request.served', message: 'x' } as const;
    expect([linesOf(served).length, linesOf(served, notices).length]).toEqual([2, 1]);
    expect(linesOf({ level: 'error', event: 'test:done', message: 'x' }, notices)[0]).toContain('"worker-1"');
    expect(() => new StderrLogger({ level: 'warn' as 'warning' })).toThrow('sets level to "warn"');
    const before = process.env['TOOLWRIGHT_LOG'];
    process.env['TOOLWRIGHT_LOG'] = 'text';
    try {
      expect(linesOf({ level: 'error', event: 'test:done', message: 'x' }, new StderrLogger())[0]).toBe(
        'error test:done: x',
      );
    } finally {
      if (before === undefined) delete process.env['TOOLWRIGHT_LOG'];
      else process.env['TOOLWRIGHT_LOG'] = before;
    }
  });

  test('quotes members, so that none of them looks like several', () => {
    const id = 'x\nerror auth.ok: root signed in tool=admin';
    const lines = linesOf({
      level: 'error',
      event: 'test:failed',
      message: 'It failed',
      requestId: id,
      tool: 'a',
    });
    expect(lines).toEqual([`error test:failed: It failed requestId=${JSON.stringify(id)} tool=a`, '']);
  });

  test('has no member that the message or an error brings', () => {
    const message = 'no such x tenant=root';
    const record = { level: 'error', event: 'test:failed', message } as const;
    expect(linesOf({ ...record, tenant: 'acme' })[0]).toBe(
      'error test:failed: no such x tenant\\u003droot tenant=acme',
    );
    expect(linesOf({ ...record, error: new Error(message) }).join(' ')).not.toContain('tenant=');
  });
});

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function filtering() {
  const logger = new MemoryLogger();
  let now = 0;
  const filter = new DedupingLogger(logger, () => now);
  const log = (event: LogEvent, message: string, cause?: unknown) =>
    filter.log({ level: 'error', event, message, cause });
  const told = () => logger.records.filter(({ level }) => level === 'error').map(({ message }) => message);
  return { log, told, pass: (milliseconds: number) => (now += milliseconds), logger };
}

test('an event that clients fill with messages of their own silences no other event', () => {
  const { log, told } = filtering();
  for (let n = 0; n < 1000; n += 1) log('http.authenticate', `message ${String(n)}`, new Error(String(n)));
  log('http.failed', 'served nothing');
  log('http.unsent', 'sent nothing');
  expect(told()).toEqual(['message 0', 'served nothing', 'sent nothing']);
});

test('two places of one event are both logged, whatever their messages say', () => {
  const { log, told } = filtering();
  const here = (message: string) => new Error(message);
  const there = (message: string) => new TypeError(message);
  for (const round of ['1', '2']) {
    log('http.failed', `here ${round}`, here(`${round}\n    at forged:${round}`));
    log('http.failed', `there ${round}`, there(round));
  }
  expect(told()).toEqual(['here 1', 'there 1']);
});

test('each minute they are reported again, and debugging has all of them', () => {
  const { log, told, pass, logger } = filtering();
  log('list.unkept', 'first');
  log('list.unkept', 'second');
  pass(60_000);
  log('list.unkept', 'third');
  expect(told()).toEqual(['first', 'third']);
  expect(logger.records.map(({ level }) => level)).toEqual(['error', 'debug', 'error']);
});

const LEVELS: readonly LogLevel[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
];

/** A stream, and the lines of JSON that were written to it. */
function jsonLines() {
  const stream = new PassThrough();
  // From Node 26 on, a read gives one chunk of those that are there
  const chunks = function* (): Generator {
    for (let chunk: unknown = stream.read(); chunk !== null; chunk = stream.read()) yield chunk;
  };
  const read = () =>
    [...chunks()]
      .join('')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { stream, read };
}

@Module()
class EmptyModule {}

describe('pino', () => {
  test('gets every record by the method of its level', () => {
    const { stream, read } = jsonLines();
    const log = pinoLogger(pino({ level: 'debug', base: null, timestamp: false }, stream));
    for (const level of LEVELS) log({ level, event: 'test:seen', message: level, taskId: '7' });
    const { debug, info, warn, error, fatal } = pino.levels.values;
    expect(read()).toEqual(
      [debug, info, info, warn, error, fatal, fatal, fatal].map((level, index) => ({
        level,
        event: 'test:seen',
        taskId: '7',
        msg: LEVELS[index],
      })),
    );
  });

  test.each(['error', 'cause'])('writes the stack of what was thrown: %s', (member) => {
    const { stream, read } = jsonLines();
    const thrown = new TypeError('out of order');
    pinoLogger(pino(stream))({
      level: 'error',
      event: 'call.failed',
      message: 'It failed.',
      [member]: thrown,
    });
    expect(read()).toMatchObject([
      {
        event: 'call.failed',
        msg: 'It failed.',
        err: { type: 'TypeError', message: 'out of order', stack: thrown.stack },
      },
    ]);
  });

  test('is a logger of an application', async () => {
    const { stream, read } = jsonLines();
    const app = await McpApplication.create(EmptyModule, { logger: pinoLogger(pino(stream)) });
    await app.close();
    expect(read()).toMatchObject([{ event: 'application.empty', level: 40 }]);
  });
});

describe('winston', () => {
  const winstonTo = (
    stream: Writable,
    levels: Readonly<Record<string, number>> = { ...config.npm.levels },
  ) => {
    const winston = createLogger({ level: 'debug', levels, format: format.json() });
    return winston.add(new transports.Stream({ stream }));
  };

  test('gets every record with the name of its level', async () => {
    const { stream, read } = jsonLines();
    const winston = winstonTo(stream);
    const log = winstonLogger(winston);
    for (const level of LEVELS) log({ level, event: 'test:seen', message: level, taskId: '7' });
    winston.end();
    await once(winston, 'finish');
    const levels = ['debug', 'info', 'info', 'warn', 'error', 'error', 'error', 'error'];
    expect(read()).toEqual(
      levels.map((level, index) => ({ level, event: 'test:seen', taskId: '7', message: LEVELS[index] })),
    );
  });

  test('has names of levels of its own, and gets the stack of what was thrown', async () => {
    const { stream, read } = jsonLines();
    const winston = winstonTo(stream, { ...config.syslog.levels });
    const log = winstonLogger(winston, { warning: 'warning', critical: 'crit' });
    const thrown = new TypeError('out of order');
    log({ level: 'critical', event: 'call.failed', message: 'It failed.', error: thrown });
    log({ level: 'warning', event: 'test:odd', message: 'Odd.', cause: 'a text' });
    winston.end();
    await once(winston, 'finish');
    const err = { name: 'TypeError', message: 'out of order', stack: thrown.stack };
    expect(read()).toEqual([
      { level: 'crit', event: 'call.failed', message: 'It failed.', err },
      { level: 'warning', event: 'test:odd', message: 'Odd.', err: 'a text' },
    ]);
  });
});

describe('console', () => {
  test('gets one line, whatever a client wrote', () => {
    const lines: unknown[] = [];
    const log = consoleLogger({ ...console, error: (line) => lines.push(line) });
    log({ level: 'error', event: 'test:failed', message: 'x\nerror forged\u001b[2J' });
    expect(lines).toEqual(['error test:failed: x\n  error forged\\u001b[2J']);
  });

  test('gets a line, and what else a record has', () => {
    const lines: unknown[][] = [];
    const write =
      (method: string) =>
      (...values: readonly unknown[]) =>
        lines.push([method, ...values]);
    const log = consoleLogger({
      debug: write('debug'),
      info: write('info'),
      warn: write('warn'),
      error: write('error'),
    });
    for (const level of LEVELS) log({ level, event: 'test:seen', message: 'Seen.' });
    log({ level: 'error', event: 'call.failed', message: 'It failed.', reference: 'abc' });
    const methods = ['debug', 'info', 'info', 'warn', 'error', 'error', 'error', 'error'];
    expect(lines).toEqual([
      ...methods.map((method, index) => [method, `${String(LEVELS[index])} test:seen: Seen.`]),
      ['error', 'error call.failed: It failed.', { reference: 'abc' }],
    ]);
  });
});
