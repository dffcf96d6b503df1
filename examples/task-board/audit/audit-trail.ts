import { Injectable, type MiddlewareCall, type MiddlewareObject, type Next } from 'toolwright';
import type { Workspace } from '../board/workspace.ts';
import { UnitOfWork } from '../storage/unit-of-work.ts';
import { Clock } from './clock.ts';

/** Notes an action in the transaction of its call: the action and its entry are both kept, or neither. */
@Injectable({ scope: 'request' })
export class AuditTrail implements MiddlewareObject {
  constructor(
    private readonly unit: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async use(call: MiddlewareCall, next: Next): Promise<unknown> {
    const value = await next();
    const { workspaceId } = call.input as Workspace;
    const sql = 'INSERT INTO audit (workspace, action, at) VALUES (?, ?, ?)';
    await this.unit.run(sql, [workspaceId, call.name, this.clock.now().toISOString()]);
    return value;
  }
}
