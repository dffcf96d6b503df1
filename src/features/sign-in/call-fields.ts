import type { ResourceServerOptions } from '../../metadata/token-verifier.ts';
import type { ResourceServer } from '../../runtime/auth/resource-server.ts';
import type { SignInOptions, SignInProvider } from './options.ts';
import type { SignInState } from './sign-in-state.ts';
import type { SignInStep } from './step.ts';

/** The option `auth`, as far as it is read here. */
interface AuthGroup extends ResourceServerOptions {
  readonly signIn?: SignInProvider | SignInOptions;
}

declare module '../../kernel/call/states.ts' {
  interface States {
    /** What people sign in with; undefined without the option `auth.signIn`. */
    readonly 'sign-in'?: SignInState;
  }
}

declare module '../../runtime/runtime-facet.ts' {
  interface OptionGroups {
    readonly auth?: AuthGroup | false | undefined;
    readonly title?: string | undefined;
    readonly resourceServer?: ResourceServer | undefined;
  }

  interface FeatureEvents {
    /** A person or client has come a step on in signing in, or no further. */
    readonly 'sign-in': SignInStep;
  }
}
