import { expect, jest, test } from '@jest/globals';
import { GuardedLogger } from '../../src/call/guarded-logger.ts';
import { StderrLogger } from '../../src/call/logger.ts';

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
    new GuardedLogger(new StderrLogger()).log({
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

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}
