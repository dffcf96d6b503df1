import { describe, expect, test } from '@jest/globals';
import { resultOf } from '../../../../src/kernel/call/outcome.ts';
import { fullService } from '../../../support/fake-service.ts';
import { fakeApplication } from '../../../support/fake-application.ts';
import { post2026 } from '../../../support/client-of-2026.ts';
import { message, send } from '../../../support/raw-http.ts';
import { serve } from '../../../support/http-server.ts';

describe('the headers of arguments', () => {
  const service = (): ReturnType<typeof fullService> =>
    fullService({
      tools: {
        list: () => [
          {
            name: 'call',
            description: '',
            annotations: {},
            inputSchema: {
              type: 'object',
              properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
            } as never,
          },
        ],
        call: (_name, args) => resultOf({ content: [{ type: 'text', text: JSON.stringify(args) }] }),
      },
    });
  const params = { name: 'call', arguments: { region: 'eu' } };

  test.each<[string, number, Readonly<Record<string, string>>]>([
    ['are right', 200, { 'mcp-param-region': 'eu' }],
    ['are right in Base64', 200, { 'mcp-param-region': '=?base64?ZXU=?=' }],
    ['differ', 400, { 'mcp-param-region': 'us' }],
    ['are missing', 400, {}],
    ['cannot be read', 400, { 'mcp-param-region': '=?base64?!?=' }],
  ])('when they %s', async (_name, status, headers) => {
    const { url } = await serve({}, {}, { ...fakeApplication({}), service: service() });
    const response = await post2026(url, 'tools/call', params, headers);
    expect(response.status).toBe(status);
    if (status === 400) {
      expect(JSON.parse(response.body)).toMatchObject({
        id: 1,
        error: { code: -32020, data: { mismatch: { header: 'Mcp-Param-Region' } } },
      });
    }
  });

  test('mean nothing to the era that had none', async () => {
    const { url } = await serve({ sessions: false }, {}, { ...fakeApplication({}), service: service() });
    const { status, body } = await send(url, { body: message('tools/call', params) });
    expect([status, body.includes('eu')]).toEqual([200, true]);
  });

  test('are checked after the headers that every request has', async () => {
    const { url } = await serve({}, {}, { ...fakeApplication({}), service: service() });
    const { error } = await post2026(url, 'tools/call', params, { 'mcp-name': 'other' });
    expect(error?.message).toContain('Mcp-Name');
  });

  test('may be sent by pages', async () => {
    const { url } = await serve();
    const { headers } = await send(url, {
      method: 'OPTIONS',
      headers: {
        origin: 'http://localhost:3000',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'mcp-method, mcp-param-region, x-evil',
      },
    });
    expect(headers['access-control-allow-headers']).toMatch(/Mcp-Method.*, mcp-param-region$/);
  });
});
