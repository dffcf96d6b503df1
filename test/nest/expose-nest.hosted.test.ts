import { expect, test } from '@jest/globals';
import { hostApplications } from 'toolwright';
import { exposeNest } from 'toolwright/nest';
import { textOf } from '../support/text-of.ts';
import { createShop, loadNest } from './shop.ts';

test.each(['express', 'fastify'] as const)(
  'under a host, listen() opens no port on %s, and calls work',
  async (platform) => {
    const created: object[] = [];
    const release = hostApplications({
      created: (application) => void created.push(application),
      listen: (_application, options, open) => open(options),
      stdio: (_application, options, open) => open(options),
    });
    const shop = await createShop(loadNest(11), platform);
    try {
      const mcp = await exposeNest(shop, { include: ['tasks.find'], logger: () => undefined });
      await shop.listen(3000, '127.0.0.1');
      expect(await shop.getUrl()).toBe('http://127.0.0.1:3000');
      expect((shop.getHttpServer() as { readonly listening: boolean }).listening).toBe(false);
      expect(created).toEqual([mcp]);
      expect(textOf(await mcp.call('tasks', { action: 'find', text: 'a' }))).toMatch(/"text": "a"/);
    } finally {
      release();
      await shop.close();
    }
  },
);
