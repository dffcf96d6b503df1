import { Injectable, type MiddlewareCall, type MiddlewareObject, type Next } from 'toolwright';
import { UnitOfWork } from './unit-of-work.ts';

/** Commits what an action wrote once the action and all middleware inside have succeeded. */
@Injectable({ scope: 'request' })
export class Transactional implements MiddlewareObject {
  constructor(private readonly unit: UnitOfWork) {}

  async use(_call: MiddlewareCall, next: Next): Promise<unknown> {
    const value = await next();
    await this.unit.commit();
    return value;
  }
}
