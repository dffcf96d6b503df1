import { expect, test } from '@jest/globals';
import { Action, Ctx, Module, Roles, ToolContext, ToolGroup, type AuthInfo, type Class } from 'toolwright';
import { createAppWithCallers } from '../../support/callers.ts';

const ROLES = ['a', 'b', 'c', 'd', 'e', 'f'] as const;

/** One action for each role. */
function rolesModule(): Class {
  class Rooms {
    enter(_ctx: ToolContext): string {
      return '';
    }
  }
  for (const role of ROLES) {
    const enter = (ctx: ToolContext): string => `${role} for ${String(ctx.caller?.sub)}`;
    Object.defineProperty(Rooms.prototype, role, { value: enter, writable: true, configurable: true });
    const descriptor = Object.getOwnPropertyDescriptor(Rooms.prototype, role)!;
    Ctx()(Rooms.prototype, role, 0);
    for (const decorate of [Action(`Enter ${role}`), Roles(role)] as MethodDecorator[])
      decorate(Rooms.prototype, role, descriptor);
  }
  ToolGroup('rooms')(Rooms);
  @Module({ controllers: [Rooms] })
  class RoomsModule {}
  return RoomsModule;
}

interface Answer {
  readonly isError?: boolean;
  readonly content: readonly { readonly text?: string }[];
  readonly _meta?: Readonly<Record<string, { readonly availableActions?: readonly string[] }>>;
}

test('10,000 callers with 40 sets of roles, of whose views 16 are kept, never see or do what others may', async () => {
  const { app } = await createAppWithCallers(rolesModule(), { maxViews: 16 });
  const sets = Array.from({ length: 40 }, (_, set) => ROLES.filter((_role, bit) => ((set + 1) >> bit) & 1));
  const calls = Array.from({ length: 10_000 }, async (_, index) => {
    const roles = sets[index % 40]!;
    const action = ROLES[index % ROLES.length]!;
    const sub = `person-${String(index)}`;
    const authInfo: AuthInfo = { token: 't', clientId: 'c', scopes: [], extra: { sub, roles } };
    await new Promise((resolve) => setTimeout(resolve, index % 7));
    const answer = (await app.call('rooms', { action }, { authInfo })) as Answer;
    const text = answer.content[0]?.text ?? '';
    if (roles.includes(action)) return text === `${action} for ${sub}`;
    const { availableActions } = answer._meta?.['toolwright/error'] ?? {};
    return answer.isError === true && JSON.stringify(availableActions) === JSON.stringify(roles);
  });
  const crossed = (await Promise.all(calls)).filter((isRight) => !isRight);
  expect(crossed).toHaveLength(0);
  expect(app.explainViews().length).toBeLessThanOrEqual(17);
  await app.close();
});
