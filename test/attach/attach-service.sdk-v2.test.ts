import { describe, expect, test } from '@jest/globals';
import type { RequestContext } from '../../src/call/request-context.ts';
import { attachService } from '../../src/attach/attach-service.ts';
import type { RequestHandler } from '../../src/attach/server-target.ts';
import { echo, toolsOnly } from '../support/fake-application.ts';

describe('a server of SDK v2', () => {
  class Version2Server {
    readonly handlers = new Map<string, RequestHandler>();
    readonly declared: unknown[] = [];

    projectCallToolResult(): void {
      // Its presence distinguishes the two versions.
    }
    registerCapabilities(capabilities: unknown): void {
      this.declared.push(capabilities);
    }
    setRequestHandler(method: string, _schemas: object, handler: RequestHandler): void {
      if (typeof method !== 'string') throw new TypeError('not a spec request method');
      this.handlers.set(method, handler);
    }
    getClientVersion(): unknown {
      return { name: 'earlier', version: '1' };
    }
  }

  test('gets its handlers by method name', async () => {
    const server = new Version2Server();
    attachService({ server }, toolsOnly({ echo }));
    expect([...server.handlers.keys()]).toEqual(['tools/list', 'tools/call']);
    expect(server.declared).toEqual([{ tools: { listChanged: true } }]);
  });

  test('hands over the request in the form of its context', async () => {
    const server = new Version2Server();
    const sent: unknown[] = [];
    const exchanges: RequestContext[] = [];
    attachService(
      server,
      toolsOnly({
        work: async (_args, exchange) => {
          exchanges.push(exchange);
          await exchange.log('info', 'hello', 'worker');
          await exchange.notify('notifications/progress', { progress: 1 });
          return 'ok';
        },
      }),
    );
    const context = {
      sessionId: 's1',
      mcpReq: {
        id: 7,
        signal: new AbortController().signal,
        _meta: { trace: 'abc' },
        envelope: {
          'io.modelcontextprotocol/clientInfo': { name: 'newest', version: '2' },
          'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
        },
        log: (...args: unknown[]) => void sent.push(args),
        notify: (notification: unknown) => Promise.reject(new Error(`gone: ${JSON.stringify(notification)}`)),
      },
      http: {
        authInfo: { token: 't', clientId: 'c', scopes: [] },
        req: new Request('http://x', { headers: { 'X-A': 'b' } }),
      },
    };
    const result = await server.handlers.get('tools/call')?.({ name: 'work' }, context);
    expect(result).toMatchObject({ content: [{ text: 'ok' }] });
    expect(sent).toEqual([['info', 'hello', 'worker']]);
    const exchange = exchanges[0];
    expect(exchange).toMatchObject({ requestId: 7, sessionId: 's1', meta: { trace: 'abc' }, raw: context });
    expect(exchange?.authInfo?.clientId).toBe('c');
    expect(exchange?.header('x-a')).toBe('b');
    expect(exchange?.client()).toEqual({ name: 'newest', version: '2', capabilities: { elicitation: {} } });
  });
});
