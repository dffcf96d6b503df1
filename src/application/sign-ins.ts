import { ToolwrightError } from '../errors/toolwright-error.ts';
import type { SignIns } from '../metadata/sign-in-options.ts';
import type { ServiceSettings } from '../runtime/route.ts';

/** What people have signed in to. @throws ToolwrightError TW_APPLICATION_OPTION */
export function signInsOf({ signIns }: Pick<ServiceSettings, 'signIns'>): SignIns {
  if (signIns !== undefined) return signIns;
  throw new ToolwrightError('TW_APPLICATION_OPTION', {
    where: 'app.signIn',
    what: 'is there with the option auth.signIn only.',
    fix: 'auth: { resource, signIn: google({ clientId, clientSecret }) }',
  });
}
