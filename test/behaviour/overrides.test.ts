import { expect, test } from '@jest/globals';
import {
  Action,
  Destructive,
  Middleware,
  Module,
  ReadOnly,
  ToolGroup,
  type MiddlewareCall,
  type Next,
} from 'toolwright';
import { createTestApplication } from 'toolwright/testing';
import { textOf } from '../support/text-of.ts';

const seen: string[] = [];
const guard = (call: MiddlewareCall, next: Next): Promise<unknown> => {
  seen.push(`guard ${call.name}`);
  return next();
};
const own = (call: MiddlewareCall, next: Next): Promise<unknown> => {
  seen.push(`own ${call.name}`);
  return next();
};

abstract class Base {
  @Action('Wipe everything')
  @Destructive()
  @Middleware(guard)
  wipe(): string {
    return 'base';
  }

  @Action('Look')
  @Destructive()
  look(): string {
    return 'base';
  }

  @Action('Gone')
  gone(): string {
    return 'base';
  }
}

@ToolGroup('store')
class StoreTools extends Base {
  @Action('Wipe the store')
  @Middleware(own)
  override wipe(): string {
    return 'store';
  }

  @Action('Look at the store')
  @ReadOnly()
  override look(): string {
    return 'store';
  }

  override gone(): string {
    return 'store';
  }
}

@Module({ controllers: [StoreTools] })
class StoreModule {}

test('an override with @Action keeps warning marks and middleware of the base method, and may take a mark back', async () => {
  const store = await createTestApplication(StoreModule, { expose: 'flat' });
  const hints = Object.fromEntries(
    (await store.listTools()).map(({ name, annotations }) => [name, annotations]),
  );
  expect(hints).toEqual({
    store_wipe: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
    store_look: { readOnlyHint: true, destructiveHint: false, idempotentHint: false },
  });
  expect(textOf(await store.call('store_wipe'))).toBe('store');
  expect(seen).toEqual(['guard wipe', 'own wipe']);
  await store.close();
});
