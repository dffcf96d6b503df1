import { ToolwrightError } from '../errors/toolwright-error.ts';
import type { States } from '../kernel/call/states.ts';
import { signInOptions, type SignIns, type SignInSetup } from '../features/sign-in/options.ts';
import type { AuthOptions } from './auth-options.ts';

export { signInOptions, type SignIns, type SignInSetup };

/** What `app.signIn` is. @throws ToolwrightError TW_APPLICATION_OPTION without the option */
export function signIns({ 'sign-in': state }: States): SignIns {
  if (state !== undefined) return state;
  throw new ToolwrightError('TW_APPLICATION_OPTION', {
    where: 'app.signIn',
    what: 'is there with the option auth.signIn only.',
    fix: 'auth: { resource, signIn: google({ clientId, clientSecret }) }',
  });
}

/** What has to be entered at the provider; undefined without the option. */
export function signInSetup(auth: AuthOptions | false | undefined): SignInSetup | undefined {
  if (auth === undefined || auth === false || auth.signIn === undefined) return undefined;
  const { provider, issuer } = signInOptions(auth.signIn);
  const { name, hints = [] } = provider;
  const known = issuer ?? (auth.resource === undefined ? undefined : new URL(auth.resource).origin);
  return { provider: name, issuer: known, hints };
}
