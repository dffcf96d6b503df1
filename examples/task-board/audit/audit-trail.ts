import { Inject, Injectable, type MiddlewareCall, type MiddlewareObject, type Next } from 'toolwright';
import { UnitOfWork } from '../storage/unit-of-work.ts';
import type { Workspace } from '../tasks/inputs.ts';
import { Clock } from './clock.ts';

/** Runs a writing action and its audit entry in one transaction: both are kept, or neither. */
@Injectable({ scope: 'request' })
export class AuditTrail implements MiddlewareObject {
  constructor(
    private readonly unit: UnitOfWork,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  async use(call: MiddlewareCall, next: Next): Promise<unknown> {
    const value = await next();
    const { workspaceId } = call.input as Workspace;
    const at = this.clock.now().toISOString();
    await this.unit.run('INSERT INTO audit (workspace, action, at) VALUES (?, ?, ?)', [
      workspaceId,
      call.action,
      at,
    ]);
    await this.unit.commit();
    return value;
  }
}
