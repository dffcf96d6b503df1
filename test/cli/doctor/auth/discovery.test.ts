import { expect, test } from '@jest/globals';
import { jwt } from '../../../../src/auth/index.ts';
import { Action, McpApplication, Module, ToolGroup } from '../../../../src/index.ts';
import { examineSignIn, problems } from '../../../support/examine-sign-in.ts';
import { MemoryLogger } from '../../../support/memory-logger.ts';
import { SignInServer } from '../../../support/sign-in-server.ts';

@ToolGroup({ name: 'tasks' })
class TaskTools {
  @Action('Lists them') list() {
    return 'none';
  }
}

@Module({ controllers: [TaskTools] })
class TaskModule {}

test.each(['accept', undefined] as const)(
  'finds nothing wrong with a server of our own in front of a provider, with dpop: %s',
  async (dpop) => {
    const provider = await SignInServer.start();
    const verify = jwt({ issuer: provider.origin, ...(dpop === undefined ? {} : { dpop }) });
    const auth = { verify, scopesSupported: ['tasks:read'] };
    const app = await McpApplication.create(TaskModule, { auth, logger: new MemoryLogger() });
    const { url } = await app.listen({ port: 0, signals: false });
    for (const client of ['sdk-v1', 'sdk-v2', 'claude']) {
      const examined = await examineSignIn(url, ['--client', client]);
      expect(problems(examined)).toEqual([]);
      expect(examined.checks.filter(({ state }) => state === 'ok').length).toBeGreaterThan(8);
    }
    await app.close();
    await provider.close();
  },
);
