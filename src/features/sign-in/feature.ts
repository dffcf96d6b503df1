import { entriesIn } from '../../runtime/store/owned-entries.ts';
import { feature } from '../feature.ts';
import type {} from './call-fields.ts';
import { OwnTokens } from './own-tokens.ts';
import { SIGN_INS, SignInState } from './sign-in-state.ts';

/** People sign in with a provider: the option `auth.signIn`, with the server of `toolwright/sign-in`. */
export const signingIn = feature({
  name: 'sign-in',
  decorators: [],
  wanted: ({ options: { auth }, isLazy }) =>
    auth !== undefined && auth !== false && auth.signIn !== undefined && !isLazy,
  issuer: ({ auth }, resource) =>
    auth === undefined || auth === false || auth.signIn === undefined
      ? undefined
      : new OwnTokens(auth.signIn, resource),
  state: (source) => SignInState.of(source),
  start: async (state) => state?.start(),
  door: (state) => state,
  members: (state) => ({
    upstream: ({ authInfo }) => ({ found: authInfo && state?.server?.upstreamOf(authInfo) }),
  }),
  stores: (state) => (state === undefined ? {} : { [SIGN_INS]: [entriesIn(state.store, SIGN_INS, false)] }),
});
