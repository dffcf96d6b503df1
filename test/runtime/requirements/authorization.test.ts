import { expect, test } from '@jest/globals';
import type { AuthInfo, Caller } from '../../../src/call/request-context.ts';
import {
  Authorization,
  type AuthorizationSettings,
} from '../../../src/runtime/requirements/authorization.ts';
import type { Authority } from '../../../src/kernel/call/authority.ts';
import type { ScannedRequirement } from '../../../src/scanner/requirements/scanned-requirements.ts';
import { deepFreeze } from '../../../src/shared/deep-freeze.ts';
import { MemoryLogger } from '../../support/memory-logger.ts';

const FROZEN: AuthInfo = deepFreeze({ token: 't', clientId: 'c', scopes: [], extra: { roles: ['admin'] } });

async function checks(
  requirement: ScannedRequirement,
  settings: Partial<AuthorizationSettings> = {},
): Promise<(authInfo: AuthInfo) => Promise<Authority>> {
  const authorization = new Authorization({
    logger: new MemoryLogger(),
    resourceServer: undefined,
    resolver: undefined,
    byDefault: 'authenticated',
    trusts: 'nobody',
    ...settings,
  });
  authorization.learn({ isPublic: false, all: [requirement] });
  return async (authInfo) => authorization.check({ authInfo, isLocal: false });
}

const ROLES: ScannedRequirement = { kind: 'roles', anyOf: ['admin'], denied: undefined };

test('a policy is asked again about a caller that does not change', async () => {
  let isListed = true;
  const policy = { list: () => isListed };
  const check = await checks(
    {
      kind: 'policy',
      policy: { kind: 'object', name: 'Moody', policy, hasList: true, hasCall: false },
      denied: undefined,
    },
    { policyTtl: 0 },
  );
  expect((await check(FROZEN)).verdicts).toBeUndefined();
  isListed = false;
  expect((await check(FROZEN)).verdicts?.bits).toBe('10');
});

test('what a policy says of a caller is not said of one with other facts', async () => {
  const policy = { list: ({ authInfo }: Caller) => (authInfo as { isStaff?: boolean }).isStaff === true };
  const check = await checks({
    kind: 'policy',
    policy: { kind: 'object', name: 'Staff', policy, hasList: true, hasCall: false },
    denied: undefined,
  });
  expect((await check({ ...FROZEN, isStaff: true } as AuthInfo)).verdicts).toBeUndefined();
  expect((await check({ ...FROZEN, isStaff: false } as AuthInfo)).verdicts?.bits).toBe('10');
  expect((await check(FROZEN)).verdicts?.bits).toBe('10');
});

test('what could not be loaded for a caller is loaded with the next request', async () => {
  let isDown = true;
  const load = (): string => {
    if (isDown) throw new Error('down');
    return 'the teams';
  };
  const check = await checks(ROLES, { load });
  expect((await check(FROZEN)).caller?.loaded).toBeUndefined();
  isDown = false;
  expect((await check(FROZEN)).caller?.loaded).toBe('the teams');
});

test('a caller that can change is read with each request', async () => {
  const roles = ['admin'];
  const check = await checks(ROLES);
  const caller = Object.freeze({ token: 't', clientId: 'c', scopes: [], extra: Object.freeze({ roles }) });
  expect((await check(caller)).verdicts).toBeUndefined();
  roles.pop();
  expect((await check(caller)).verdicts?.bits).toBe('10');
});
