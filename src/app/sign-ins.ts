import { ToolwrightError } from '../errors/toolwright-error.ts';
import type { States } from '../kernel/call/states.ts';
import type { SignIns } from '../metadata/sign-in-options.ts';

/** What `app.signIn` is. @throws ToolwrightError TW_APPLICATION_OPTION without the option */
export function signIns({ 'sign-in': state }: States): SignIns {
  if (state !== undefined) return state;
  throw new ToolwrightError('TW_APPLICATION_OPTION', {
    where: 'app.signIn',
    what: 'is there with the option auth.signIn only.',
    fix: 'auth: { resource, signIn: google({ clientId, clientSecret }) }',
  });
}
