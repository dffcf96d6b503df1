import { expect, test } from '@jest/globals';
import {
  Complete,
  createDecorator,
  Injectable,
  Module,
  Resource,
  ToolError,
  type ListedResource,
  type MiddlewareCall,
  type Next,
} from 'toolwright';
import { createConnectedApplication } from '../support/connections/connected-application.ts';
import { CONNECTIONS } from '../support/connections/connection-kinds.ts';

const Role = createDecorator<string>('Role');
const seen: string[] = [];

function remember(call: MiddlewareCall, next: Next): Promise<unknown> {
  seen.push(`${call.kind} ${call.name} ${String(call.metadata(Role))}`);
  return next();
}

@Injectable()
class Pages {
  @Resource('pages://{name}', { list: 'all' })
  @Role('reader')
  read(): string {
    return 'a page';
  }

  all(): readonly ListedResource[] {
    return [{ uri: 'pages://secret' }];
  }

  @Complete('read', 'name')
  names(value: string): readonly string[] {
    return ['secret', 'public'].filter((name) => name.startsWith(value));
  }
}

@Module({ controllers: [Pages] })
class PagesModule {}

test.each(CONNECTIONS)(
  '$name: middleware guards listing and completing as it guards reading',
  async (kind) => {
    seen.length = 0;
    const app = await createConnectedApplication(kind, PagesModule, { middleware: [remember] });
    const reader = await app.client();
    const reference = { type: 'ref/resource', uri: 'pages://{name}' } as const;
    const request = { ref: reference, argument: { name: 'name', value: 's' } };
    expect((await reader.listResources()).resources.map(({ uri }) => uri)).toEqual(['pages://secret']);
    expect((await reader.complete(request)).completion.values).toEqual(['secret']);
    expect(seen).toEqual(['resource read reader', 'resource read reader']);

    const refusing = await createConnectedApplication(kind, PagesModule, {
      middleware: [() => Promise.reject(new ToolError('FORBIDDEN', 'Only readers may look'))],
    });
    const stranger = await refusing.client();
    await expect(stranger.listResources()).rejects.toThrow(/Only readers may look/);
    await expect(stranger.complete(request)).rejects.toThrow(/Only readers may look/);
    await Promise.all([app.close(), refusing.close()]);
  },
);
