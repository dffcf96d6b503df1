import express from 'express';
import { fastify } from 'fastify';
import { Hono } from 'hono';
import { afterEach, expect, test } from '@jest/globals';
import { fetchCarrier, nodeCarrier, type Carrier } from 'toolwright/openapi';
import { factsOf, textOf } from '../support/text-of.ts';
import { callAction, document, openApi } from './recorded-api.ts';

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

const PATHS = {
  '/orders/{id}': {
    post: {
      operationId: 'close',
      tags: ['orders'],
      parameters: [{ in: 'path', name: 'id', required: true, schema: { type: 'string' } }],
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: { type: 'object', properties: { why: { type: 'string' } } } },
        },
      },
    },
  },
};

/** Applications with a middleware that refuses one id, and a route that shows what it got. */
const FRAMEWORKS: readonly (readonly [string, () => Carrier | Promise<Carrier>])[] = [
  [
    'Express',
    () => {
      const app = express();
      app.use(express.json());
      app.use((request, response, next) => {
        if (request.path.endsWith('/locked')) response.status(403).json({ message: 'not this one' });
        else next();
      });
      app.post(
        '/orders/:id',
        (request, response) =>
          void response.json({
            id: request.params.id,
            body: request.body as unknown,
            caller: request.get('authorization') ?? null,
          }),
      );
      return nodeCarrier(app);
    },
  ],
  [
    'node:http',
    () =>
      nodeCarrier((request, response) => {
        const { url = '', headers } = request;
        const isLocked = url.endsWith('/locked');
        let text = '';
        request.setEncoding('utf8').on('data', (part: string) => (text += part));
        request.on('end', () => {
          const told = isLocked
            ? { message: 'not this one' }
            : {
                id: decodeURIComponent(url.split('/').at(-1) ?? ''),
                body: JSON.parse(text) as unknown,
                caller: headers.authorization ?? null,
              };
          response.writeHead(isLocked ? 403 : 200, { 'content-type': 'application/json' });
          response.end(JSON.stringify(told));
        });
      }),
  ],
  [
    'Fastify',
    async () => {
      const app = fastify();
      opened.push(app);
      app.addHook('preHandler', (request, reply, done) => {
        if (request.url.endsWith('/locked')) void reply.code(403).send({ message: 'not this one' });
        else done();
      });
      app.post('/orders/:id', (request) => ({
        id: (request.params as { id: string }).id,
        body: request.body,
        caller: request.headers.authorization ?? null,
      }));
      await app.ready();
      return nodeCarrier(app.server);
    },
  ],
  [
    'Hono',
    () => {
      const app = new Hono();
      app.use((context, next) => {
        if (context.req.path.endsWith('/locked'))
          return Promise.resolve(context.json({ message: 'not this one' }, 403));
        return next();
      });
      app.post('/orders/:id', async (context) =>
        context.json({
          id: context.req.param('id'),
          body: await context.req.json<unknown>(),
          caller: context.req.header('authorization') ?? null,
        }),
      );
      return fetchCarrier((request) => app.fetch(request));
    },
  ],
];

test.each(FRAMEWORKS)(
  '93, 94: %s answers in the process, with what runs before its routes',
  async (_name, start) => {
    const { app } = await openApi({ document: document(PATHS), carrier: await start() });
    opened.push(app);
    expect(app.definitions[0]?.annotations.openWorldHint).toBe(false);
    const authInfo = { token: 'own', clientId: 'c', scopes: [], extra: { sub: 'ada' } };
    const result = await app.call('orders', { action: 'close', id: 'a b/ü', why: 'sold out' }, { authInfo });
    expect(JSON.parse(textOf(result))).toEqual({
      id: 'a b/ü',
      body: { why: 'sold out' },
      caller: 'Bearer own',
    });
    const refused = await callAction(app, 'orders.close', { id: 'locked', why: 'x' });
    expect(factsOf(refused)).toMatchObject({ code: 'FORBIDDEN' });
    expect(textOf(refused)).toContain('not this one');
  },
);
