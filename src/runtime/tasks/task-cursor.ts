import type { TaskPage } from './task-store.ts';
import { invalidParams } from './task-protocol.ts';

type Position = NonNullable<TaskPage['after']>;

/** A cursor is the place of the last task of a page. Tasks change all the time, so it cannot hold on to the list. */
export function cursorAfter(page: readonly Position[]): { readonly nextCursor?: string } {
  const last = page.at(-1);
  if (last === undefined) return {};
  const { createdAt, taskId } = last;
  return { nextCursor: Buffer.from(JSON.stringify([createdAt, taskId])).toString('base64url') };
}

/** @throws ProtocolError for what is no cursor. One that was made up shows nothing but the client's own tasks. */
export function positionOf(cursor: unknown): Position | undefined {
  if (cursor === undefined) return undefined;
  const position =
    typeof cursor === 'string' ? parsed(Buffer.from(cursor, 'base64url').toString()) : undefined;
  if (!Array.isArray(position) || position.length !== 2) throw invalidCursor();
  const [createdAt, taskId] = position as readonly unknown[];
  if (typeof createdAt !== 'number' || typeof taskId !== 'string') throw invalidCursor();
  return { createdAt, taskId };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function invalidCursor(): Error {
  return invalidParams('Invalid cursor: start again without a cursor');
}
