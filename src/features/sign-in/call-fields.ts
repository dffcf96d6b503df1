import type { AuthOptions } from '../../metadata/auth-options.ts';
import type { ResourceServer } from '../../runtime/auth/resource-server.ts';
import type { SignInState } from './sign-in-state.ts';

declare module '../../kernel/call/states.ts' {
  interface States {
    /** What people sign in with; undefined without the option `auth.signIn`. */
    readonly 'sign-in'?: SignInState;
  }
}

declare module '../../runtime/runtime-facet.ts' {
  interface OptionGroups {
    readonly auth?: AuthOptions | false | undefined;
    readonly title?: string | undefined;
    readonly resourceServer?: ResourceServer | undefined;
  }
}
